/** Generated: types; `npm run docs` writes it from the schemas. */

import type { Condition } from "../rules/condition.ts";

/** The changes of one collection, in this order. */
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

/** The plain fields of a scenario. */
export type ScenarioFields = {
  readonly $schema?: string | undefined;
  readonly version: 1;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Seed of ids, generated data and random numbers. */
  readonly seed?: number | undefined;
  readonly clock?:
    | {
        /** A time, or an offset from now such as `+3d`. */
        readonly at: string;
        /** Default: `frozen`. */
        readonly mode?: "frozen" | "ticking" | undefined;
        /** Whether base data dates follow the clock. Default: `true`. */
        readonly rebase?: boolean | undefined;
      }
    | undefined;
  readonly expect?:
    | {
        /** Requests that match no operation. */
        readonly unmatched?: "fail" | "warn" | "ignore" | undefined;
        /** Rules that were never applied. */
        readonly unusedRules?: "fail" | "warn" | "ignore" | undefined;
      }
    | undefined;
};
