/** What a rule does to an exchange once it has matched: the closed list of effects the pipeline can apply. */

import { createSandboxProblem } from "../http/problem-json.ts";
import type { Problem } from "../operation/problem.ts";

type FaultEffect = {
  /** What a client receives of the response. Only a response that exists can be delivered. */
  readonly delivers: "nothing" | "part" | "all";
  /** A browser may repeat a request on its own if its response is lost like this. */
  readonly repeated?: true;
  /** How Chromium reports the failure; undefined: there is none. */
  readonly chromium: string | undefined;
};

const FAULT_EFFECTS = {
  reset: { delivers: "nothing", repeated: true, chromium: "net::ERR_CONNECTION_RESET" },
  empty: { delivers: "nothing", repeated: true, chromium: "net::ERR_EMPTY_RESPONSE" },
  truncate: { delivers: "part", repeated: true, chromium: "net::ERR_CONTENT_LENGTH_MISMATCH" },
  "bad-chunk": { delivers: "part", repeated: true, chromium: "net::ERR_INVALID_CHUNKED_ENCODING" },
  garbage: { delivers: "nothing", chromium: "net::ERR_INVALID_HTTP_RESPONSE" },
  hang: { delivers: "nothing", chromium: "net::ERR_TIMED_OUT" },
  "slow-close": { delivers: "all", chromium: undefined },
  dribble: { delivers: "all", chromium: undefined },
} satisfies Readonly<Record<string, FaultEffect>>;
export type FaultKind = keyof typeof FAULT_EFFECTS;
export const FAULTS = Object.keys(FAULT_EFFECTS) as [FaultKind, ...FaultKind[]]; // Safe: the keys above.

/** Returns undefined without a fault. */
export function findFaultEffect(fault: string | undefined): FaultEffect | undefined {
  const kind = FAULTS.find((name) => name === fault);
  return kind && FAULT_EFFECTS[kind];
}

/** True where the work is done and its reply breaks, so that the fault cannot come before there is one. */
export function breaksReply(fault: FaultKind): boolean {
  return findFaultEffect(fault)?.delivers !== "nothing";
}

/** What breaks on the wire. `dribble` sends the body in `chunks` pieces over `overMs` of wall time. */
export type Fault =
  | { readonly kind: Exclude<FaultKind, "dribble"> }
  | { readonly kind: "dribble"; readonly chunks: number; readonly overMs: number };

/** Why a fault is refused where only those `faults` can be played. */
export function describeUnsupportedFault(fault: FaultKind, faults: readonly FaultKind[]): string {
  const where =
    faults.length === 0
      ? "inside another app. Call sandbox.fetch or an address of sandbox.listen."
      : `here, where the connection belongs to another server. Use ${faults.join(", ")}.`;
  return `The fault ${fault} cannot be played ${where}`;
}

/** Whether a client receives the whole answer, with this fault or without any. */
export function arrivesWhole(fault: string | undefined): boolean {
  return (findFaultEffect(fault)?.delivers ?? "all") === "all";
}

/** Whether a client receives the head of the answer and a part of its body. */
export function cutsBody(fault: string | undefined): boolean {
  return findFaultEffect(fault)?.delivers === "part";
}

/** Returns what leaves of a body that is cut off: at least one byte is missing. */
export function takeFirstHalf(body: Uint8Array): Uint8Array {
  return body.subarray(0, Math.floor(body.length / 2));
}

/** How long a slow close leaves the connection open after the last byte. */
export const SLOW_CLOSE_MS = 500;
export const DEFAULT_DRIBBLE: Fault = { kind: "dribble", chunks: 5, overMs: 1_000 };

/** Replaces the service's own answer, or changes it; `wire`: the fault with which the answer is sent. */
export type Effect = (
  | Problem
  | {
      readonly kind: "respond";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: unknown;
    }
  | { readonly kind: "fault"; readonly fault: Fault }
  | { readonly kind: "mutate"; readonly mutations: readonly string[] }
  /** Nothing more is done: the client left while a rule made it wait. */
  | { readonly kind: "gone" }
) & { readonly wire?: Fault | undefined };

/** An answer of the sandbox itself instead of the service's. */
export function respondAsSandbox(status: number, detail: string): Effect {
  return { kind: "respond", ...createSandboxProblem(status, detail) };
}
