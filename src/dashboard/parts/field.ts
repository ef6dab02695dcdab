/** Reads and sets the text of form fields, and reads the key of keyboard events. */
export function getFieldText(event: Event): string {
  return (event.target as unknown as { readonly value: string }).value; // Safe cast: only form fields use this handler.
}

export function setFieldText(event: Event, text: string): void {
  (event.target as unknown as { value: string }).value = text;
}

export function getPressedKey(event: Event): string {
  return (event as unknown as { readonly key: string }).key; // Safe cast: key handlers only receive keyboard events.
}
