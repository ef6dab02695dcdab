/** Attributes for a keyboard shortcut, which clicks the button or focuses the field (browser/keys.ts). */
export function shortcut(key: string): { readonly "aria-keyshortcuts": string; readonly title: string } {
  return { "aria-keyshortcuts": key, title: `Key: ${key}` };
}
