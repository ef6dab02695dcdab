/** What is in the field of a form where something was typed or chosen. */
export function textIn(event: Event): string {
  return (event.target as unknown as { readonly value: string }).value; // only fields have handlers that ask
}
