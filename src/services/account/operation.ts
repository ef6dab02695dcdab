/** Types that all operations of the account service share: problems, state, identity and settings. */

import type { Violation } from "../../operation/issue.ts";
import { createOperationFactory, type EarlyCall, type Shape } from "../../operation/operation.ts";
import type { Identity } from "../../world/identities.ts";
import type { problems } from "./problems.ts";
import type { AccountSettings } from "./settings.ts";
import type { AccountState } from "./state.ts";

/** Defaults of all operations except the login. */
export const operationDefaults = { source: "common-account-billing, Endpoints", security: "bearer" } as const;

/** Problems of every operation with a request body, except the login. */
export const bodyProblems = ["notAcceptable", "bodyTooLarge", "unsupportedMedia"] as const;

/** Error body as plain JSON, without the fields of JSON-LD. Its fields depend on the problem and the setting `profile`. */
export type AccountProblem = {
  /** `code` and `message`: only in errors with status 401, and in the problem `loginThrottled`. */
  readonly code?: number;
  readonly message?: string;
  /** `type` and the fields below: only in all other errors. */
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

/** Argument of a function that loads the resource in a path. `P`: path parameters. `K`: keys of problems that the function may return. */
export type AccountCall<P extends Shape, K extends string> = EarlyCall<
  Account,
  { security: "bearer"; params: P; problems: K }
>;
