/** Types of the museum's operations: its problems, state, identity and settings. */

import type { Violation } from "../../operation/issue.ts";
import { createOperationFactory, type EarlyCall, type Shape } from "../../operation/operation.ts";
import type { problems } from "./problems.ts";
import type { MuseumSettings } from "./schemas.ts";
import type { MuseumState } from "./state.ts";

export type MuseumIdentity = { readonly user: string };

/** Error body. The optional fields require the setting `errorDetail`. */
export type MuseumProblem = {
  readonly type: string;
  readonly title: string;
  readonly status?: number;
  readonly detail?: string;
  readonly errors?: readonly Violation[];
};

export type Museum = {
  problems: typeof problems;
  state: MuseumState;
  identity: MuseumIdentity;
  settings: MuseumSettings;
  refusal: MuseumProblem;
};
export const defineMuseumOperation = createOperationFactory<Museum>();

/** Argument of a function that loads a resource for several operations. `K`: keys of the problems that it may return. */
export type MuseumCall<P extends Shape, K extends string> = EarlyCall<
  Museum,
  { security: "basic"; params: P; problems: K }
>;
