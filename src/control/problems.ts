/** Problems of the control API, and the problem for each code of a UsageError. */

import type { UsageCode } from "../errors/usage-error.ts";
import { defineProblems } from "../operation/problem.ts";

/** `source` of every operation and problem of the control API. */
export const SOURCE = "vitrine, control API";

export const problems = defineProblems({
  malformedBody: { status: 400, title: "The body cannot be read.", source: SOURCE },
  invalidInput: { status: 400, title: "The input is not valid.", source: SOURCE },
  tokenRequired: { status: 401, title: "The control API requires its token.", source: SOURCE },
  foreignCaller: { status: 403, title: "This caller must not use the control API.", source: SOURCE },
  unknownWorld: { status: 404, title: "The sandbox has no such world.", source: SOURCE },
  unknownName: { status: 404, title: "Not found.", source: SOURCE },
  pathNotFound: { status: 404, title: "The control API has no such path.", source: SOURCE },
  methodNotAllowed: { status: 405, title: "This path does not accept this method.", source: SOURCE },
  timedOut: { status: 408, title: "Timed out.", source: SOURCE },
  journalChanged: { status: 409, title: "The journal was replaced.", source: SOURCE },
  conflict: { status: 409, title: "Conflicts with the current state.", source: SOURCE },
  bodyTooLarge: { status: 413, title: "The body is too large.", source: SOURCE },
  unsupportedMedia: { status: 415, title: "The body must be sent as application/json.", source: SOURCE },
  notStored: { status: 503, title: "Nothing was stored.", source: SOURCE },
  storageFull: { status: 507, title: "Nothing was stored.", source: SOURCE },
  closed: { status: 503, title: "The sandbox was closed.", source: SOURCE },
  limitReached: { status: 429, title: "A limit of the sandbox is reached.", source: SOURCE },
});

export type ProblemKey = keyof typeof problems;

/** Problems that the sandbox returns before it selects an operation. */
export const GUARD_PROBLEMS: readonly ProblemKey[] = ["tokenRequired", "foreignCaller", "unknownWorld"];

const BY_CODE: { readonly [C in UsageCode]?: ProblemKey } = {
  unknownScenario: "unknownName",
  unknownWorld: "unknownName",
  unknownName: "unknownName",
  worldExists: "conflict",
  worldLimit: "limitReached",
  closed: "closed",
  timedOut: "timedOut",
  journalChanged: "journalChanged",
};

/** Returns `invalidInput` for codes without a specific problem. */
export function toProblemKey(code: UsageCode): ProblemKey {
  return BY_CODE[code] ?? "invalidInput";
}
