/** What a reader of the account's OpenAPI document should know first. */

import type { AccountSettings } from "../settings.ts";

export function introduction(
  { tokenLifetime, login: { every, status } }: AccountSettings,
  server: string,
): string {
  return `Login, consumptions, presale packages, presale actions, and the user's profile.

**First call.** \`POST /login\` with e-mail address and password gives a token, which every other operation takes as
\`Authorization: Bearer <token>\`. It lasts ${tokenLifetime}, and one can be requested once every ${every}: keep it. A login that comes too
early is ${status}, and \`Retry-After\` says how many seconds are left.

\`\`\`sh
curl -H 'Content-Type: application/json' -d '{"email":"…","password":"…"}' ${server}/login
curl -H 'Authorization: Bearer <token>' -H 'Accept: application/json' ${server}/consumptions
\`\`\`

**Forms.** \`application/json\` has the plain fields, \`application/ld+json\` (the default) adds JSON-LD and Hydra, \`text/html\` is a page
to read. **Amounts** are texts with two decimals, \`"12.50"\`, without currency. **Instants** are RFC 3339. **Lists** come in pages:
\`page\` counts from 1, and a page past the end is empty.

**Refusals.** 400: the body is no JSON or has a field of another type. 401: no good token. 404: not there, or another
user's. 422: the rules that are broken, all at once, in \`violations\`.`;
}
