// Owns the words that the control operations are written in: the state of the service is the controls of the world
// that was addressed. A mistake that a verb complains of becomes a refusal.

import { type AnyOperation, operationsIn } from "../operation/operation.ts";
import { refusal } from "../operation/problem.ts";
import type { LocalControls } from "../sandbox/controls.ts";
import { UsageError } from "../world/usage-error.ts";
import { problemOf, type problems } from "./problems.ts";

export const operation = operationsIn<{
  problems: typeof problems;
  state: LocalControls;
  identity: undefined;
  settings: unknown;
}>();

/** The same operation, whose handler refuses where a verb throws a UsageError. */
export function refusing<O extends AnyOperation>(operation: O): O {
  return {
    ...operation,
    handle: async (call) => {
      try {
        return await operation.handle(call);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        const { pointer } = error.place;
        const violations = pointer === undefined ? [] : [{ propertyPath: pointer, message: error.message }];
        return refusal(problemOf(error.code), { title: error.message, violations });
      }
    },
  };
}
