/** What a person who runs tests reads beside their results. */

/** Prints one line to standard error. */
export function complain(line: string): void {
  console.error(`vitrine: ${line}`);
}
