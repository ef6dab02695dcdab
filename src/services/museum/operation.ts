// Owns the words that the museum's operations are written in: its problems, state, identity and settings.

import { operationsIn } from "../../operation/operation.ts";
import type { Violation } from "../../operation/problem.ts";
import type { problems } from "./problems.ts";
import type { MuseumSettings } from "./schemas.ts";
import type { MuseumState } from "./state.ts";

export type MuseumIdentity = { readonly user: string };

/** The last three with the setting `errorDetail` alone. */
type Refused = {
  readonly type: string;
  readonly title: string;
  readonly status?: number;
  readonly detail?: string;
  readonly errors?: readonly Violation[];
};

export const operation = operationsIn<{
  problems: typeof problems;
  state: MuseumState;
  identity: MuseumIdentity;
  settings: MuseumSettings;
  refusal: Refused;
}>();
