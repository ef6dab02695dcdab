/** Types of the account's operations: its problems, state, identity and settings. */

import type { Violation } from "../../operation/issue.ts";
import { createOperationFactory, type EarlyCall, type Shape } from "../../operation/operation.ts";
import type { Identity } from "../../world/identities.ts";
import type { problems } from "./problems.ts";
import type { AccountSettings } from "./settings.ts";
import type { AccountState } from "./state.ts";

/** Defaults of all operations except the login. */
export const operationDefaults = { source: "common-account-billing, Endpoints", security: "bearer" } as const;

/** Problems of every operation with a body. */
export const bodyProblems = ["notAcceptable", "bodyTooLarge", "unsupportedMedia"] as const;

/** Error body in `application/json`, for the typed client. Its fields depend on the operation and the setting `profile`. */
export type AccountProblem = {
  /** Only in errors about tokens and the login. */
  readonly code?: number;
  readonly message?: string;
  /** Only in all other errors. */
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

/** Argument of a function that loads a resource for several operations. `K`: keys of the problems that it may return. */
export type AccountCall<P extends Shape, K extends string> = EarlyCall<
  Account,
  { security: "bearer"; params: P; problems: K }
>;
