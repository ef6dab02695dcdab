/** Values of form fields. */
export function getFieldText(event: Event): string {
  return (event.target as unknown as { readonly value: string }).value; // Safe: only fields have such handlers.
}

export function setFieldText(event: Event, text: string): void {
  (event.target as unknown as { value: string }).value = text;
}

export function getPressedKey(event: Event): string {
  return (event as unknown as { readonly key: string }).key; // Safe: a handler of keys gets key events.
}
