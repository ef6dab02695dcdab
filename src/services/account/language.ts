// Owns the words that the account's operations are written in: its problems, state, identity and settings.

import { operationsIn } from "../../operation/operation.ts";
import type { Identity } from "../../world/identities.ts";
import type { problems } from "./problems.ts";
import type { AccountSettings } from "./settings.ts";
import type { AccountState } from "./state.ts";

/** What every operation with a body may refuse with, beside its own reasons. */
export const bodyProblems = ["notAcceptable", "bodyTooLarge", "unsupportedMedia"] as const;

export const operation = operationsIn<{
  problems: typeof problems;
  state: AccountState;
  identity: Identity;
  settings: AccountSettings;
  refusesCallers: 401 | 403;
}>();
