// Bodies with nothing right in them, and what the control API has to make of them.

import { expect } from "vitest";
import type { TestSandbox } from "../support/test.ts";

/** Bytes; a little less than the control API reads. */
export const SIZE = 16 * 1_048_576 - 64;

/** As many items as fit between the two ends. */
export function filled(start: string, item: string, end: string, bytes: number = SIZE): string {
  return start + `${item},`.repeat((bytes - start.length) / (item.length + 1) - 1) + item + end;
}

/** The members of an object. */
export function members(count: number): string {
  return Array.from({ length: count }, (_, index) => `"k${index}":0`).join(",");
}

/** Refused, in few words, with nothing changed and the next request answered. */
export async function expectRefused(
  sandbox: TestSandbox,
  line: string,
  body: string,
  detail: RegExp,
): Promise<void> {
  const { digest } = sandbox.state();
  const [method = "", path = ""] = line
    .replace("{service}/{collection}", "museum/specialEvents")
    .replace("{name}", "checkout")
    .split(" ");
  const headers = { "content-type": "application/json" };
  const response = await sandbox.fetch(`/_vitrine${path}`, { method, headers, body });
  const text = await response.text();
  expect(response.status).toBe(400);
  expect(text.length).toBeLessThan(4_096);
  const problem = JSON.parse(text);
  expect(problem.detail).toMatch(detail);
  expect(problem.detail.length).toBeLessThan(2_048);
  expect((await sandbox.fetch("/_vitrine/ready")).status).toBe(200);
  expect(sandbox.state().digest).toBe(digest);
}
