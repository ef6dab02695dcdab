/**
 * `operation`, typed for the control API, whose state is the controls of the addressed world; and the problem that
 * a verb's UsageError becomes.
 */

import { type AnyOperation, operationsIn } from "../operation/operation.ts";
import { fromPointer } from "../operation/path.ts";
import { fail, type Problem } from "../operation/problem.ts";
import type { LocalControls } from "../sandbox/controls.ts";
import { UsageError } from "../world/usage-error.ts";
import { problemOf, type problems, SOURCE } from "./problems.ts";

export const operation = operationsIn<{
  problems: typeof problems;
  state: LocalControls;
  identity: undefined;
  settings: unknown;
}>();

/** What an operation has unless it says otherwise. */
export const shared = {
  source: SOURCE,
  security: "guard",
  problems: [],
  example: () => ({}),
} as const;

/** The same operation, whose handler refuses where a verb throws a UsageError. Its earlier writes are undone. */
export function refusing<O extends AnyOperation>(operation: O): O {
  return {
    ...operation,
    handle(call) {
      const toProblem = (error: unknown): Problem => problemFor(error, operation);
      try {
        const outcome = operation.handle(call);
        return outcome instanceof Promise ? outcome.catch(toProblem) : outcome;
      } catch (error) {
        return toProblem(error);
      }
    },
  };
}

/** An unknown name is 404 where it is in the path; in query or body it is invalid input. */
function problemFor(error: unknown, { request: { params } }: AnyOperation): Problem {
  if (!(error instanceof UsageError)) throw error;
  const { code, message, place } = error;
  const isInPath = Object.hasOwn(params.shape, place.pointer?.slice(1) ?? "");
  const pointer = isInPath ? "" : (place.pointer ?? "");
  const isInput = problemOf(code) === "unknownName" && pointer !== "";
  const issue = { path: fromPointer(pointer), message, code };
  return fail(isInput ? "invalidInput" : problemOf(code), { title: message, issues: [issue] });
}
