/**
 * `when`: its grammar, whether an exchange matches it, and why not. Each stage of a request's life knows more
 * of the exchange; what is not known yet does not match.
 */

import { z } from "zod";
import { checkedBy } from "../operation/checks.ts";
import type { Exchange } from "../operation/exchange.ts";
import { valueAt } from "../operation/path.ts";
import { matcherFault, mismatch } from "./matcher.ts";
import { matchesGlob } from "./pattern.ts";

/** A literal, a subset object or operators; see matcher.ts. */
const matcher = z.json().superRefine(checkedBy((value) => [matcherFault(value) ?? []].flat()));
const matchers = z.record(z.string(), matcher);
const names = z.union([z.string(), z.array(z.string()).min(1)]);

export const When = z
  .strictObject({
    operation: names.optional().describe("Name, list of names, or glob: `account.list*`."),
    method: z
      .enum(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])
      .optional()
      .describe("Where no operation is named."),
    path: z
      .string()
      .regex(/^\//, "must begin with /")
      .optional()
      .describe("Relative to the base address, where no operation is named; `*` stands for anything."),
    environment: names.optional().describe("Key of the base address: `accountSandbox`."),
    query: matchers.optional(),
    headers: matchers.optional(),
    params: matchers.optional().describe("Parameters of the path."),
    body: matcher.optional(),
    user: matcher.optional().describe("Name of the caller."),
    accept: matcher.optional().describe("The Accept header as sent."),
  })
  .superRefine(
    checkedBy(({ operation, method, path }) => {
      if (operation === undefined || (method === undefined && path === undefined)) return [];
      const message = "Name an operation, or a method and a path; not both.";
      return [{ path: [method === undefined ? "path" : "method"], message }];
    }),
  );
export type When = z.output<typeof When>;

const TEXTUAL = { textual: true };
const JSON_VALUES = { textual: false };

/** What an exchange is about, whatever its content. */
type Named = Pick<Exchange, "method" | "path"> & {
  readonly operation?: string | undefined;
  readonly environment?: string | undefined;
};

/** True when operation, method, path and environment are those the rule names: the rest is about this one request. */
export function isNamed(when: When, exchange: Named): boolean {
  const { operation, method, path, environment } = when;
  return (
    (operation === undefined || hasName(exchange.operation ?? "", operation)) &&
    (method === undefined || exchange.method === method) &&
    (path === undefined || matchesGlob(exchange.path, path)) &&
    (environment === undefined || hasName(exchange.environment ?? "", environment))
  );
}

/** Why the exchange does not match the rule; undefined when it does. */
export function whyNot(when: When, exchange: Exchange): string | undefined {
  if (!isNamed(when, exchange)) return `is for ${nameOf(when)}`;
  const { query = {}, headers = {}, params = {}, body, user, accept } = when;
  const header = (name: string): string | undefined => exchange.headers.get(name) ?? undefined;
  return (
    mismatchIn(headers, "header", header) ??
    mismatchIn(params, "parameter", (name) => exchange.params[name]) ??
    mismatchIn(query, "query", (name) => valueAt(exchange.query, [name])) ??
    (accept === undefined ? undefined : mismatch(header("accept"), accept, "accept", TEXTUAL)) ??
    (user === undefined ? undefined : mismatch(exchange.identity, user, "user", TEXTUAL)) ??
    (body === undefined ? undefined : mismatch(exchange.body, body, "body", JSON_VALUES))
  );
}

/** Why the first of these texts that does not match does not. */
function mismatchIn(
  matchers: Readonly<Record<string, unknown>>,
  kind: string,
  sent: (name: string) => unknown,
): string | undefined {
  for (const [name, matcher] of Object.entries(matchers)) {
    const why = mismatch(sent(name), matcher, `${kind} ${name}`, TEXTUAL);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** What a rule is for, in words: `account.list*`, `POST /special-events`, `every request`. */
export function nameOf({ operation, method, path, environment }: When): string {
  const call = [method, path].filter((part) => part !== undefined).join(" ") || "every request";
  const named = operation === undefined ? call : [operation].flat().join(", ");
  return environment === undefined ? named : `${named} of ${[environment].flat().join(", ")}`;
}

/** A name, a list of names, or globs. */
export function hasName(name: string, wanted: string | readonly string[]): boolean {
  return [wanted].flat().some((glob) => matchesGlob(name, glob));
}
