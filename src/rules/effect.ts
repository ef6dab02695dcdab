/** The effects of rules, which the pipeline applies, and the faults of connections. */

import { createSandboxProblem } from "../http/problem-json.ts";
import type { Problem } from "../operation/problem.ts";

type FaultEffect = {
  /** The part of the response that the client receives. */
  readonly delivers: "nothing" | "part" | "all";
  /** Browsers may repeat a request after this fault. */
  readonly repeated?: true;
  /** Chromium's name of the error; undefined if it reports none. */
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

export function findFaultEffect(fault: string | undefined): FaultEffect | undefined {
  const kind = FAULTS.find((name) => name === fault);
  return kind && FAULT_EFFECTS[kind];
}

/** Whether the fault needs a response to break. The operation then runs first. */
export function breaksReply(fault: FaultKind): boolean {
  return findFaultEffect(fault)?.delivers !== "nothing";
}

/** A fault on the connection. `dribble` sends the body in `chunks` pieces over `overMs` of wall-clock time. */
export type Fault =
  | { readonly kind: Exclude<FaultKind, "dribble"> }
  | { readonly kind: "dribble"; readonly chunks: number; readonly overMs: number };

/** Error message for a fault that the runtime cannot inject. `faults` lists the supported ones. */
export function describeUnsupportedFault(fault: FaultKind, faults: readonly FaultKind[]): string {
  const reason =
    faults.length === 0
      ? "inside another app. Call sandbox.fetch or a URL of sandbox.listen."
      : `here, because another server owns the connection. Use ${faults.join(", ")}.`;
  return `The fault ${fault} is not supported ${reason}`;
}

/** Whether the client receives the whole response. */
export function arrivesWhole(fault: string | undefined): boolean {
  return (findFaultEffect(fault)?.delivers ?? "all") === "all";
}

/** Whether the client receives the headers and a part of the body. */
export function cutsBody(fault: string | undefined): boolean {
  return findFaultEffect(fault)?.delivers === "part";
}

/** Returns the part of a truncated body that is sent. Omits at least one byte. */
export function takeFirstHalf(body: Uint8Array): Uint8Array {
  return body.subarray(0, Math.floor(body.length / 2));
}

/** How long `slow-close` keeps the connection open after the last byte, in ms. */
export const SLOW_CLOSE_MS = 500;
export const DEFAULT_DRIBBLE: Fault = { kind: "dribble", chunks: 5, overMs: 1_000 };

/** Replaces or changes the response of the service. `wire` is a fault that slows or breaks its transfer. */
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
  /** The client disconnected while a rule delayed its request. */
  | { readonly kind: "gone" }
) & { readonly wire?: Fault | undefined };

/** Creates an error response of the sandbox itself, in place of the service's response. */
export function respondAsSandbox(status: number, detail: string): Effect {
  return { kind: "respond", ...createSandboxProblem(status, detail) };
}
