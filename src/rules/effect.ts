/** Types of the effects that a rule can have on a response, and the table of connection faults. */

import { createSandboxProblem } from "../http/problem-json.ts";
import type { Problem } from "../operation/problem.ts";

type FaultEffect = {
  /** The part of the response that the client receives. */
  readonly delivers: "nothing" | "part" | "all";
  /** Set if browsers may automatically send the request again after this fault. */
  readonly repeated?: true;
  /** Name of the error that Chromium reports, for HAR files. Undefined: Chromium reports no error. */
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
export const FAULTS = Object.keys(FAULT_EFFECTS) as [FaultKind, ...FaultKind[]]; // Safe cast: the keys of FAULT_EFFECTS.

export function findFaultEffect(fault: string | undefined): FaultEffect | undefined {
  const kind = FAULTS.find((name) => name === fault);
  return kind && FAULT_EFFECTS[kind];
}

/** Whether the fault sends all or a part of a response. If so, the operation runs before the fault. */
export function breaksReply(fault: FaultKind): boolean {
  return findFaultEffect(fault)?.delivers !== "nothing";
}

/** A fault on the connection. `dribble` sends the body in `chunks` pieces over `overMs` of wall-clock time. */
export type Fault =
  | { readonly kind: Exclude<FaultKind, "dribble"> }
  | { readonly kind: "dribble"; readonly chunks: number; readonly overMs: number };

/** Returns the error message for a fault that this runtime cannot inject. `faults` lists the faults that it supports. */
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

/** Whether the client receives the headers, but only a part of the body. */
export function cutsBody(fault: string | undefined): boolean {
  return findFaultEffect(fault)?.delivers === "part";
}

/** Returns the first half of a body, rounded down: the part that a fault such as `truncate` sends. */
export function takeFirstHalf(body: Uint8Array): Uint8Array {
  return body.subarray(0, Math.floor(body.length / 2));
}

/** How long `slow-close` keeps the connection open after the last byte, in ms. */
export const SLOW_CLOSE_MS = 500;
export const DEFAULT_DRIBBLE: Fault = { kind: "dribble", chunks: 5, overMs: 1_000 };

/** A replacement or change of the service's response. `wire` is a fault that slows the transfer of this response. */
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
