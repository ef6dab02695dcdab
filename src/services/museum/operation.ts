/** `operation`, typed with the museum's problems, state, identity and settings; declares every museum operation. */

import type { Violation } from "../../operation/issue.ts";
import { operationsIn } from "../../operation/operation.ts";
import type { problems } from "./problems.ts";
import type { MuseumSettings } from "./schemas.ts";
import type { MuseumState } from "./state.ts";

export type MuseumIdentity = { readonly user: string };

/** The last three only with the setting `errorDetail`. */
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
