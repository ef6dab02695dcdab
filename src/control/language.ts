// Owns the words that the control operations are written in: the state of the service is the controls of the world
// that was addressed. A mistake that a verb complains of becomes a refusal.

import { type AnyOperation, operationsIn } from "../operation/operation.ts";
import { type Refusal, refusal } from "../operation/problem.ts";
import type { LocalControls } from "../sandbox/controls.ts";
import { UsageError } from "../world/usage-error.ts";
import { problemOf, type problems } from "./problems.ts";

export const operation = operationsIn<{
  problems: typeof problems;
  state: LocalControls;
  identity: undefined;
  settings: unknown;
}>();

/** The same operation, whose handler refuses where a verb throws a UsageError. What it wrote before is undone. */
export function refusing<O extends AnyOperation>(operation: O): O {
  return {
    ...operation,
    handle(call) {
      try {
        const outcome = operation.handle(call);
        return outcome instanceof Promise ? outcome.catch(toRefusal) : outcome;
      } catch (error) {
        return toRefusal(error);
      }
    },
  };
}

function toRefusal(error: unknown): Refusal {
  if (!(error instanceof UsageError)) throw error;
  const { code, message, place } = error;
  const violation = { propertyPath: place.pointer ?? "", message, code };
  return refusal(problemOf(code), { title: message, violations: [violation] });
}
