export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect x="5" y="4" width="22" height="17" rx="2" fill="#5aa9c9" fill-opacity=".25" stroke="#3d8fb3" stroke-width="2"/>
<path d="M9 17 18 8" stroke="#fff" stroke-opacity=".8" stroke-width="2" stroke-linecap="round"/>
<circle cx="18" cy="15" r="4" fill="#e0a63c"/>
<path d="M4 22h24v5H4z" fill="#8a6a4a"/>
</svg>
`;
