/** Generated: types of the schemas. To update this file, run `npm run docs`. */

import type { Condition } from "../rules/condition.ts";

/** Changes of one collection, applied in the order of these fields. */
export type DataChangeInput = {
  /** Replaces all entities with these. */
  readonly replace?: readonly Condition[] | undefined;
  /** Replaces all entities with this number of new ones, generated from the seed. */
  readonly generate?: number | undefined;
  /** Adds entities, or replaces those with the same key. */
  readonly upsert?: readonly Condition[] | undefined;
  /** Removes entities by key. */
  readonly remove?: readonly string[] | undefined;
};

/** Fields of a scenario, except `extends`, `settings`, `data` and `rules`, which `ScenarioInput` adds. */
export type ScenarioFields = {
  readonly $schema?: string | undefined;
  readonly version: 1;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Seed of ids, generated data and random numbers. */
  readonly seed?: number | undefined;
  readonly clock?:
    | {
        /** Start time (ISO 8601), or an offset from now such as `+3d`. */
        readonly at: string;
        /** Default: `frozen`. */
        readonly mode?: "frozen" | "ticking" | undefined;
        /** Moves the dates of the base data, too. Default: `true`. */
        readonly rebase?: boolean | undefined;
      }
    | undefined;
  readonly expect?:
    | {
        /** Severity of requests that match no operation. Default: `fail`. */
        readonly unmatched?: "fail" | "warn" | "ignore" | undefined;
        /** Severity of unused rules. */
        readonly unusedRules?: "fail" | "warn" | "ignore" | undefined;
      }
    | undefined;
};
