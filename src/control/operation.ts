/**
 * `operation`, typed for the control API, whose state is the controls of the addressed world; and the refusal that
 * a verb's UsageError becomes.
 */

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

/** The same operation, whose handler refuses where a verb throws a UsageError. Its earlier writes are undone. */
export function refusing<O extends AnyOperation>(operation: O): O {
  return {
    ...operation,
    handle(call) {
      const toRefusal = (error: unknown): Refusal => refuse(error, operation);
      try {
        const outcome = operation.handle(call);
        return outcome instanceof Promise ? outcome.catch(toRefusal) : outcome;
      } catch (error) {
        return toRefusal(error);
      }
    },
  };
}

/** An unknown name is 404 where it is in the path; in query or body it is invalid input. */
function refuse(error: unknown, { request: { params } }: AnyOperation): Refusal {
  if (!(error instanceof UsageError)) throw error;
  const { code, message, place } = error;
  const isInPath = Object.hasOwn(params.shape, place.pointer?.slice(1) ?? "");
  const pointer = isInPath ? "" : (place.pointer ?? "");
  const isInput = problemOf(code) === "unknownName" && pointer !== "";
  const violation = { propertyPath: pointer, message, code };
  return refusal(isInput ? "invalidInput" : problemOf(code), { title: message, violations: [violation] });
}
