/** The table of verbs: every row of the control API, in the order of its document. */

import type { AnyOperation } from "../operation/operation.ts";
import { code, table as markdown } from "../operation/table.ts";
import type { AnyRemoteVerb, AnyRow, VerbName } from "./endpoint.ts";
import { account } from "./endpoints/account.ts";
import { catalogue } from "./endpoints/catalogue.ts";
import { clock } from "./endpoints/clock.ts";
import { data } from "./endpoints/data.ts";
import { journal } from "./endpoints/journal.ts";
import { rehearsal, scenario } from "./endpoints/scenario.ts";
import { worlds } from "./endpoints/worlds.ts";

const rows = {
  ...worlds,
  ...clock,
  ...scenario,
  ...rehearsal,
  ...journal,
  ...data,
  ...account,
  ...catalogue,
};

type Rows = typeof rows;
type Covered = { [R in keyof Rows]: keyof Rows[R]["verbs"] }[keyof Rows];
/** Every verb of `Controls` has its row: what is named here has none. */
type Missing = Exclude<VerbName, Covered>;
true satisfies [Missing] extends [never] ? true : { readonly "has no row": Missing };

const table: Readonly<Record<string, AnyRow>> = rows as never; // the rows without the types of their arguments

/** By their keys, which are the ids in the document. */
export const controlOperations: Readonly<Record<string, AnyOperation>> = Object.fromEntries(
  Object.entries(table).map(([key, { operation }]) => [key, operation]),
);

/** How each verb is called over HTTP: the operation of its row, and what is sent and understood. */
export const remoteVerbs: ReadonlyMap<string, AnyRemoteVerb & Pick<AnyRow, "operation">> = new Map(
  Object.values(table).flatMap(({ operation, verbs }) =>
    Object.entries(verbs).map(([name, verb]) => [name, { operation, ...verb }] as const),
  ),
);

/** For the manual: the requests, what each does, and the verbs of a test that do it. */
export function verbsTable(): string {
  const rows = Object.values(table).map(({ operation: { method, path, summary }, verbs }) => [
    code(`${method.toUpperCase()} ${path}`),
    Object.keys(verbs).map(code).join(" "),
    summary,
  ]);
  return markdown(["request", "in a test", "what it does"], rows);
}
