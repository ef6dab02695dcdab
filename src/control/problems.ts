// Owns what the control API may refuse, and which mistake of the sandbox's user is which refusal.

import { defineProblems } from "../operation/problem.ts";
import type { UsageCode } from "../world/usage-error.ts";

/** Where everything in this service is written down: here. */
export const SOURCE = "vitrine, control API";

export const problems = defineProblems({
  malformedBody: { status: 400, title: "The body cannot be read.", source: SOURCE },
  invalidInput: { status: 400, title: "The input is not valid.", source: SOURCE },
  tokenRequired: { status: 401, title: "The control API asks for its token.", source: SOURCE },
  foreignCaller: { status: 403, title: "The control API is not for this caller.", source: SOURCE },
  unknownName: { status: 404, title: "There is no such thing.", source: SOURCE },
  pathNotFound: { status: 404, title: "The control API has no such path.", source: SOURCE },
  methodNotAllowed: { status: 405, title: "This path does not take this method.", source: SOURCE },
  timedOut: { status: 408, title: "What was waited for did not come.", source: SOURCE },
  conflict: { status: 409, title: "The present state does not allow this.", source: SOURCE },
  bodyTooLarge: { status: 413, title: "The body is too large.", source: SOURCE },
  unsupportedMedia: { status: 415, title: "Bodies are sent as application/json.", source: SOURCE },
  limitReached: { status: 429, title: "A limit of the sandbox is reached.", source: SOURCE },
});

export type ProblemKey = keyof typeof problems;

const BY_CODE: { readonly [C in UsageCode]?: ProblemKey } = {
  unknownScenario: "unknownName",
  unknownWorld: "unknownName",
  unknownName: "unknownName",
  worldExists: "conflict",
  worldLimit: "limitReached",
  closed: "conflict",
  timedOut: "timedOut",
};

/** Whatever has no better name is input that is not valid. */
export function problemOf(code: UsageCode): ProblemKey {
  return BY_CODE[code] ?? "invalidInput";
}
