// Owns what one step of a rule does: which effect its words mean.

import { DEFAULT_DRIBBLE, type Effect, type Fault } from "./effect.ts";
import type { Rule, Step } from "./schema.ts";

/** The effect of a step; undefined where it only waits, moves the clock or lets pass. */
export function effectOf({ problem, title, violations, respond, fault, mutate }: Step): Effect | undefined {
  if (problem !== undefined) return { kind: "problem", problem, title, violations };
  if (respond !== undefined)
    return { kind: "respond", status: respond.status, headers: respond.headers ?? {}, body: respond.body };
  if (fault !== undefined)
    return { kind: "fault", fault: fault === "dribble" ? DEFAULT_DRIBBLE : { kind: fault } };
  if (mutate !== undefined)
    return { kind: "mutate", mutations: typeof mutate === "string" ? [mutate] : mutate };
  return undefined;
}

/** True where a rule can end what is asked of the rules: delays, gates and the clock go on. */
export function answers({ then }: Rule): boolean {
  return [then, ...(then.sequence ?? [])].some((step) => step.pass === true || effectOf(step) !== undefined);
}

/** The effect, sent in the way that a delay of the same rule or of one before it wants. */
export function sentBy(wire: Fault | undefined, effect: Effect): Effect {
  return wire === undefined || effect.kind === "fault" ? effect : { ...effect, wire };
}
