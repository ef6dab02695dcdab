/** What is in the field of a form where something was typed or chosen. */
export function getFieldText(event: Event): string {
  return (event.target as unknown as { readonly value: string }).value; // only fields have handlers that ask
}

export function setFieldText(event: Event, text: string): void {
  (event.target as unknown as { value: string }).value = text; // as above
}

/** The name of the key that was pressed in it. */
export function getPressedKey(event: Event): string {
  return (event as unknown as { readonly key: string }).key; // of a handler of keys
}
