/** `operation`, typed with the account's problems, state, identity and settings; declares every account operation. */

import type { Violation } from "../../operation/issue.ts";
import { createOperationFactory, type EarlyCall, type Shape } from "../../operation/operation.ts";
import type { Identity } from "../../world/identities.ts";
import type { problems } from "./problems.ts";
import type { AccountSettings } from "./settings.ts";
import type { AccountState } from "./state.ts";

/** What all operations but the login have in common. */
export const operationDefaults = { source: "common-account-billing, Endpoints", security: "bearer" } as const;

/** What every operation with a body may refuse with, next to its own reasons. */
export const bodyProblems = ["notAcceptable", "bodyTooLarge", "unsupportedMedia"] as const;

/** In plain JSON, which the typed client asks for. Its fields depend on the operation and the setting `profile`. */
export type AccountProblem = {
  /** Of tokens and the sign-in. */
  readonly code?: number;
  readonly message?: string;
  /** Of all others. */
  readonly type?: string;
  readonly title?: string;
  readonly status?: number;
  readonly detail?: string;
  readonly violations?: readonly Violation[];
};

export type Account = {
  problems: typeof problems;
  state: AccountState;
  identity: Identity;
  settings: AccountSettings;
  refusesCallers: 401 | 403;
  refusal: AccountProblem;
};
export const defineAccountOperation = createOperationFactory<Account>();

/** What a function that loads the resource of several operations receives; it may refuse with `K`. */
export type AccountCall<P extends Shape, K extends string> = EarlyCall<
  Account,
  { security: "bearer"; params: P; problems: K }
>;
