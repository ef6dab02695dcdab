/** Lines of JSON, each with a checksum before it: what was cut or changed is found, with its line and its byte. */

import { hash } from "node:crypto";

/** Hexadecimal digits of SHA-256, and a space. */
const SUM = 8;
const NEWLINE = 0x0a;

/** `json` is a JSON text. */
export function checkedLine(json: string): string {
  return `${hash("sha256", json).slice(0, SUM)} ${json}\n`;
}

/** The first line that is not as it was written; `byte`: where it begins. */
export type BrokenLine = {
  readonly line: number;
  readonly byte: number;
  readonly reason: string;
  /** Nothing comes after it, as when a write was interrupted. */
  readonly isLast: boolean;
};

/** Calls `take` with each line's value and where the line ends, up to the first that is broken. */
export function readLines(
  bytes: Buffer,
  take: (value: unknown, line: number, byte: number) => void,
): BrokenLine | undefined {
  let line = 1;
  for (let byte = 0; byte < bytes.length; line += 1) {
    const end = bytes.indexOf(NEWLINE, byte);
    const broken = (reason: string): BrokenLine => {
      return { line, byte, reason, isLast: end === -1 || end === bytes.length - 1 };
    };
    if (end === -1) return broken("it has no end");
    const json = bytes.subarray(byte + SUM + 1, end);
    if (bytes.toString("latin1", byte, byte + SUM + 1) !== `${hash("sha256", json).slice(0, SUM)} `)
      return broken("its checksum does not fit");
    take(JSON.parse(json.toString()), line, byte); // only checkedLine writes such a line
    byte = end + 1;
  }
  return undefined;
}
