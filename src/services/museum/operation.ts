/** Types that all operations of the museum share: problems, state, identity and settings. */

import type { Violation } from "../../operation/issue.ts";
import { createOperationFactory, type EarlyCall, type Shape } from "../../operation/operation.ts";
import type { problems } from "./problems.ts";
import type { MuseumSettings } from "./schemas.ts";
import type { MuseumState } from "./state.ts";

export type MuseumIdentity = { readonly user: string };

/** Error body. The optional fields exist only if the setting `errorDetail` is on. */
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

/** Argument of a function that loads the resource in a path. `P`: path parameters. `K`: keys of problems that the function may return. */
export type MuseumCall<P extends Shape, K extends string> = EarlyCall<
  Museum,
  { security: "basic"; params: P; problems: K }
>;
