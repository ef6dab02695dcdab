// Owns what a rule does to an exchange once it has matched: the closed list of effects the pipeline can apply.

import type { Violation } from "../operation/problem.ts";

export const FAULTS = [
  "reset",
  "empty",
  "truncate",
  "bad-chunk",
  "garbage",
  "hang",
  "slow-close",
  "dribble",
] as const;
export type FaultKind = (typeof FAULTS)[number];

/** Instead of the service's own answer. */
export type Effect =
  | {
      readonly kind: "problem";
      readonly problem: string;
      readonly title?: string | undefined;
      readonly violations?: readonly Violation[] | undefined;
    }
  | {
      readonly kind: "respond";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: unknown;
    }
  | { readonly kind: "fault"; readonly fault: FaultKind };

export function isEffect(value: { readonly kind?: unknown } | object): value is Effect {
  const kind = (value as { kind?: unknown }).kind;
  return kind === "problem" || kind === "respond" || kind === "fault";
}
