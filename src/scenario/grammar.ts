/** Generated: types; `npm run docs` writes it from the schemas. */

import type { Condition } from "../rules/condition.ts";

/** The changes of one collection, in this order. */
export type DataChangeInput = {
  /** Leaves exactly these. */
  readonly replace?: readonly Condition[] | undefined;
  /** Leaves so many new ones, made from the seed. */
  readonly generate?: number | undefined;
  /** Adds these, or replaces those with the same key. */
  readonly upsert?: readonly Condition[] | undefined;
  /** Removes by key. */
  readonly remove?: readonly string[] | undefined;
};

/** The plain fields of a scenario. */
export type ScenarioFields = {
  readonly $schema?: string | undefined;
  readonly version: 1;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Ids, generated data and chance. */
  readonly seed?: number | undefined;
  readonly clock?:
    | {
        /** An instant, or an offset from now such as `+3d`. */
        readonly at: string;
        /** Default frozen. */
        readonly mode?: "frozen" | "ticking" | undefined;
        /** Whether the dates of the base data go along; default true. */
        readonly rebase?: boolean | undefined;
      }
    | undefined;
  readonly expect?:
    | {
        /** Requests that no operation took. */
        readonly unmatched?: "fail" | "warn" | "ignore" | undefined;
        /** Rules that never acted. */
        readonly unusedRules?: "fail" | "warn" | "ignore" | undefined;
      }
    | undefined;
};
