/** A key that clicks this element or focuses this field; see browser/keys.ts. */
export function shortcut(key: string): { readonly "aria-keyshortcuts": string; readonly title: string } {
  return { "aria-keyshortcuts": key, title: `Key: ${key}` };
}
