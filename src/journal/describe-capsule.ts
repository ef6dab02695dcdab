/** Validates capsules, the JSON form of a test, and formats them with one line per rule, request and data change. */

import { z } from "zod";
import { shorten } from "../errors/quote.ts";
import { UsageError } from "../errors/usage-error.ts";
import { formatPath, toPointer } from "../http/json-pointer.ts";
import { check } from "../operation/validate.ts";
import { formatIssue } from "../operation/wording.ts";
import type { Capsule } from "./capsule.ts";
import type { ExchangeSummary } from "./recorded-exchange.ts";

const CapsuleSchema = z.looseObject({
  format: z.literal("vitrine-capsule-1"),
  world: z.string().optional(),
  seed: z.int(),
  clock: z.looseObject({ start: z.iso.datetime(), end: z.iso.datetime() }),
  evicted: z.int().min(0),
  rules: z.array(z.looseObject({ id: z.string(), acted: z.int() })).optional(),
  changes: z.array(z.looseObject({ kind: z.string(), collection: z.string(), key: z.string() })).optional(),
  journal: z.array(
    z.looseObject({
      seq: z.int(),
      method: z.string().regex(/^[A-Z]{1,20}$/, "must be a method in capitals"),
      base: z.string(),
      path: z.string().regex(/^\//, "must begin with a slash"),
      search: z.string(),
      problem: z.string().optional(),
      status: z.int().optional(),
      made: z.int().optional(),
      fault: z.string().optional(),
      state: z.enum(["open", "ended"]).optional(),
      waits: z.string().optional(),
      rules: z.array(z.looseObject({ rule: z.string(), outcome: z.string() })).optional(),
      findings: z.array(z.looseObject({ key: z.string(), message: z.string() })).optional(),
    }),
  ),
});

/** Throws a UsageError if `value` is not a capsule. Its `pointer` locates the first error. */
export function assertCapsule(value: unknown): asserts value is Capsule {
  const [issue] = check(CapsuleSchema, value).issues ?? [];
  if (issue === undefined) return;
  const message = `Not a capsule: ${formatIssue(issue, formatPath(issue.path) || "it")}`;
  throw new UsageError("badOption", message, { pointer: toPointer(issue.path) });
}

export function describeCapsule(capsule: Capsule): string {
  const { world, seed, clock, rules = [], journal, evicted, changes = [] } = capsule; // Manually written capsules may omit parts.
  const acted = rules.map(({ id, acted: times }) => `rule ${id} applied ${formatCount(times, "time")}`);
  const dropped = evicted === 0 ? [] : [`${formatCount(evicted, "earlier request")} dropped by the journal`];
  const changed = changes.map(({ kind, collection, key }) => `${kind} ${collection} ${key}`);
  return [
    `World ${world}, seed ${seed}, clock from ${clock.start} to ${clock.end}.`,
    ...acted,
    ...dropped,
    `${formatCount(journal.length, "request")}:`,
    ...journal.map((exchange) => `  ${describeExchange(exchange)}`),
    ...(changed.length === 0 ? ["The data did not change."] : ["The data changed:"]),
    ...changed.map((line) => `  ${line}`),
    "",
  ].join("\n");
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

const MAX_URL_CHARS = 160;

/** Example: `#2 POST /museum/v1.1/special-events no response: reset, 201 was lost · rule lost-create` */
export function describeExchange(exchange: ExchangeSummary): string {
  const { seq, method, base, path, search, problem, rules = [], findings = [] } = exchange; // Capsules may omit the lists.
  const acted = rules.filter(({ outcome }) => outcome === "applied").map(({ rule }) => rule);
  const found = (key: string) => findings.find((finding) => finding.key === key)?.message.split("\n", 1)[0];
  const defect = found("defect");
  const parts = [
    `#${seq} ${method} ${shorten(base + path + search, MAX_URL_CHARS)} ${describeOutcome(exchange)}`,
    problem,
    acted.length === 0 ? undefined : `rule ${[...new Set(acted)].join(", ")}`,
    found("nearMiss"),
    defect === undefined ? undefined : `internal error of the sandbox: ${defect}`,
  ];
  return parts.filter((part) => part !== undefined).join(" · ");
}

function describeOutcome({ state, waits, status, fault, gone, made, sent }: ExchangeSummary): string {
  if (state === "open") return waits === undefined ? "open" : `open, waits: ${waits}`;
  if (status === undefined) {
    const why = [gone === true ? "the client gave up" : undefined, fault].filter(
      (part) => part !== undefined,
    );
    return `no response: ${[...why, ...(made === undefined ? [] : [`${made} was lost`])].join(", ")}`;
  }
  const part = sent === undefined ? "" : `, ${sent.bytes} of ${sent.of} bytes`;
  return fault === undefined ? String(status) : `${status}, ${fault}${part}`;
}
