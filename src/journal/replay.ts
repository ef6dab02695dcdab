/**
 * Replays a capsule: the same requests in the same order, each at its instant, and what differs in the answers.
 *
 * What a replay cannot do: secrets are redacted, so it uses credentials of its own for the recorded user
 * and stand-ins for passwords it does not know; concurrent requests are sent one after another; bodies over
 * 8 KiB were not stored whole and are not sent; what was done by other means than requests (control verbs,
 * usage, gates) is not repeated. Rules that were added at run time are in force from the start.
 */

import { z } from "zod";
import { propertyPath, toPointer } from "../operation/path.ts";
import { check } from "../operation/validate.ts";
import { sentence } from "../operation/wording.ts";
import { arrivesWhole } from "../rules/effect.ts";
import { UsageError } from "../world/usage-error.ts";
import type { Capsule } from "./capsule.ts";
import { describeExchange } from "./describe-exchange.ts";
import type { Journal } from "./journal.ts";
import type { RecordedExchange } from "./recorded-exchange.ts";
import { redact } from "./redaction.ts";

/** The sandbox for a replay: created with the capsule's seed, clock (frozen at its start), settings and `stage`. */
export type ReplaySandbox = {
  fetch(path: string, init: RequestInit): Promise<Response>;
  readonly clock: { now(): number; freeze(at: Date): void; advanceTo(at: number): Promise<void> };
  readonly journal: Journal;
  /** Base address of an environment: `/account`. */
  baseOf(environment: string): string;
  /** The Authorization header equivalent to the recorded one. */
  authorize(exchange: RecordedExchange): string | undefined;
  /** Secrets that may have been sent: the passwords of the seeded users. */
  readonly secrets: readonly string[];
};

export type ReplayDifference = {
  readonly seq: number;
  readonly operation: string;
  /** `status`, `body`, or a header: `header location`. */
  readonly what: string;
  readonly recorded: string;
  readonly replayed: string;
};

export type ReplayReport = {
  /** No differences. */
  readonly ok: boolean;
  readonly sent: number;
  /** One line for each that was sent, with what it was answered now. */
  readonly requests: readonly { readonly seq: number; readonly line: string }[];
  readonly differences: readonly ReplayDifference[];
  readonly skipped: readonly { readonly seq: number; readonly why: string }[];
};

const COMPARED_HEADERS = [
  "content-type",
  "location",
  "content-location",
  "link",
  "allow",
  "retry-after",
  "www-authenticate",
  "vary",
] as const;
const NOT_SENT =
  /^(host|connection|content-length|transfer-encoding|expect|user-agent|accept-encoding|x-vitrine-world)$/;
/** The first edition wrote `[cut …`. */
const MARK = /\[(?:redacted|cut) (\d+) characters[^\]]*]/g;
const TRUNCATED = /… \[cut after \d+ of \d+ bytes]$/;
const PATIENCE = "5s";

/** Replays a capsule in the sandbox that `makeSandbox` creates for it. */
export async function replay(
  capsule: Capsule,
  makeSandbox: (capsule: Capsule) => Promise<ReplaySandbox>,
): Promise<ReplayReport> {
  checkCapsule(capsule);
  const sandbox = await makeSandbox(capsule);
  const standIns = new StandIns(sandbox.secrets);
  const requests: { seq: number; line: string }[] = [];
  const differences: ReplayDifference[] = [];
  const skipped: { seq: number; why: string }[] = [];
  if (capsule.evicted > 0)
    skipped.push({ seq: 0, why: `${capsule.evicted} earlier exchanges were dropped by the journal.` });
  for (const exchange of capsule.journal) {
    const why = unsendable(exchange);
    const replayed = why === undefined ? await send(exchange, sandbox, standIns) : undefined;
    if (replayed === undefined)
      skipped.push({ seq: exchange.seq, why: why ?? `No answer within ${PATIENCE}.` });
    else {
      const { seq, base } = exchange;
      requests.push({ seq, line: describeExchange({ ...replayed, seq, base }) }); // as they are known
      differences.push(...compare(exchange, replayed));
    }
  }
  const left = skipped.filter(({ seq }) => seq > 0).length;
  return {
    ok: differences.length === 0,
    sent: capsule.journal.length - left,
    requests,
    differences,
    skipped,
  };
}

/** What is read of a capsule, to play it or to tell it. */
const texts = z.record(z.string(), z.string());
const Playable = z.looseObject({
  format: z.literal("vitrine-capsule-1"),
  world: z.string().optional(),
  seed: z.int(),
  clock: z.looseObject({
    start: z.iso.datetime(),
    end: z.iso.datetime(),
    base: z.iso.date().optional(),
  }),
  settings: z.record(z.string(), z.record(z.string(), z.unknown())),
  stage: z.array(z.record(z.string(), z.unknown())),
  evicted: z.int().min(0),
  rules: z.array(z.looseObject({ id: z.string(), acted: z.int() })).optional(),
  changes: z.array(z.looseObject({ kind: z.string(), collection: z.string(), key: z.string() })).optional(),
  journal: z.array(
    z.looseObject({
      seq: z.int(),
      at: z.iso.datetime(),
      method: z.string().regex(/^[A-Z]{1,20}$/, "must be a method in capitals"),
      path: z.string().regex(/^\//, "must begin with a slash"),
      search: z.string(),
      base: z.string(),
      origin: z.string().min(1),
      headers: texts,
      responseHeaders: texts,
      requestText: z.string().optional(),
      responseBody: z.string().optional(),
      environment: z.string().optional(),
      user: z.string().optional(),
      /** What the first edition called `user`. */
      identity: z.string().optional(),
      problem: z.string().optional(),
      status: z.int().optional(),
      made: z.int().optional(),
      fault: z.string().optional(),
      rules: z.array(z.looseObject({ rule: z.string(), outcome: z.string() })).optional(),
      findings: z.array(z.looseObject({ key: z.string(), message: z.string() })).optional(),
    }),
  ),
});

/** Throws a UsageError that points to the mistake if `value` is not a capsule. */
export function checkCapsule(value: unknown): asserts value is Capsule {
  const [issue] = check(Playable, value).issues ?? [];
  if (issue === undefined) return;
  const message = sentence(issue, propertyPath(issue.path) || "it");
  const pointer = toPointer(issue.path);
  throw new UsageError("badOption", `Not a replayable capsule: ${message}`, { pointer });
}

function unsendable({ path, requestText, environment, gone, made }: RecordedExchange): string | undefined {
  if (environment === undefined) return "It was not under any base address.";
  if (gone === true && made === undefined) return "Its client gave up before anything was done.";
  if (path.search(MARK) >= 0) return "Its path contained a secret.";
  return TRUNCATED.test(requestText ?? "") ? "Its body was too long to be kept whole." : undefined;
}

/** Sends one request at its instant; resolves with its exchange, or undefined when none ended in time. */
async function send(
  exchange: RecordedExchange,
  sandbox: ReplaySandbox,
  standIns: StandIns,
): Promise<RecordedExchange | undefined> {
  const at = Date.parse(exchange.at);
  if (at > sandbox.clock.now()) await sandbox.clock.advanceTo(at);
  else if (at < sandbox.clock.now()) sandbox.clock.freeze(new Date(at));
  const { method, path, environment = "", search, requestText } = exchange;
  const text = (recorded: string): string => standIns.fill(recorded, madeOf(exchange) ?? 0);
  const headers = Object.entries(exchange.headers).filter(
    ([name, value]) => !NOT_SENT.test(name) && name !== "authorization" && value.search(MARK) < 0,
  );
  const authorization = sandbox.authorize(exchange);
  if (authorization !== undefined) headers.push(["authorization", authorization]);
  const leaving = new AbortController();
  const after = sandbox.journal.last?.seq ?? 0;
  const ended = sandbox.journal.waitFor({ after }, { within: PATIENCE });
  const sent = sandbox.fetch(sandbox.baseOf(environment) + path + text(search), {
    method,
    headers,
    signal: leaving.signal,
    ...(requestText === undefined || method === "GET" || method === "HEAD"
      ? {}
      : { body: text(requestText) }),
  });
  const over = sent.catch(() => {}); // a fault rejects; the journal has what happened
  try {
    const replayed = await ended;
    return { ...replayed, base: sandbox.baseOf(environment) };
  } catch (error) {
    if (error instanceof UsageError && error.code === "timedOut") return undefined;
    throw error;
  } finally {
    leaving.abort();
    await over;
  }
}

function compare(recorded: RecordedExchange, replayed: RecordedExchange): ReplayDifference[] {
  const { seq, operation = `${recorded.method} ${recorded.path}` } = recorded;
  const headers = COMPARED_HEADERS.map((name): Pair => {
    return [`header ${name}`, recorded.responseHeaders[name], replayed.responseHeaders[name]];
  });
  const pairs: readonly Pair[] = [
    ["fault", recorded.fault, replayed.fault],
    ...(isOfBefore(recorded) ? [] : [["status", madeOf(recorded), madeOf(replayed)] as const]),
    ...(isKnown(recorded) ? headers : []),
    ...(isKnown(recorded) && recorded.method !== "HEAD"
      ? [["body", recorded.responseBody, replayed.responseBody] as const]
      : []),
  ];
  return pairs
    .map(([what, one, other]) => ({ what, one: plain(one, recorded), other: plain(other, replayed) }))
    .filter(({ one, other }) => one !== other)
    .map(({ what, one, other }) => ({ seq, operation, what, recorded: one, replayed: other }));
}

type Pair = readonly [what: string, one: unknown, other: unknown];

/** The status of the answer, whether it left or not. */
export function madeOf({ status, made }: Pick<RecordedExchange, "status" | "made">): number | undefined {
  return made ?? status;
}

/** The first edition recorded an answer that a fault had broken as if it had arrived, and one where none was made. */
function isOfBefore({ status, fault, sent }: RecordedExchange): boolean {
  return status !== undefined && sent === undefined && !arrivesWhole(fault);
}

/** Whether headers and body are those of an answer that left. */
function isKnown(exchange: RecordedExchange): boolean {
  return exchange.status !== undefined && !isOfBefore(exchange);
}

/** Without what cannot be equal in a replay: secrets, the world's prefix, the port. */
function plain(value: unknown, { origin, base }: RecordedExchange): string {
  if (value === undefined) return "nothing";
  return String(value)
    .replaceAll(MARK, "[redacted]")
    .replaceAll(origin, "http://localhost")
    .replaceAll(base, "");
}

/** A substitute for each redacted secret, the same wherever it occurred. */
class StandIns {
  readonly #byMark: Map<string, string>;

  constructor(known: readonly string[]) {
    this.#byMark = new Map(known.map((secret) => [redact(secret), secret]));
  }

  fill(text: string, status: number): string {
    return text.replaceAll(MARK, (mark, length: string) => {
      const known = this.#byMark.get(mark.replace(/^\[cut/, "[redacted"));
      const secret = known ?? this.#make(Number(length), status);
      this.#byMark.set(mark, secret);
      return secret;
    });
  }

  /** One that a service accepts where the recorded one was accepted, and refuses where it was refused. */
  #make(length: number, status: number): string {
    return status < 400
      ? `Stand-in!${this.#byMark.size}`.padEnd(length, "x")
      : "x".repeat(Math.min(length, 7));
  }
}
