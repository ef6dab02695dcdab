/** All endpoints of the control API, in the order of its OpenAPI document. */

import type { AnyOperation } from "../operation/operation.ts";
import { formatCode, formatTable as markdown } from "../operation/table.ts";
import type { AnyEndpoint, AnyRemoteCall, MethodName } from "./endpoint.ts";
import { account } from "./endpoints/account.ts";
import { catalogue } from "./endpoints/catalogue.ts";
import { clock } from "./endpoints/clock.ts";
import { data } from "./endpoints/data.ts";
import { journal } from "./endpoints/journal.ts";
import { rehearsal, scenario } from "./endpoints/scenario.ts";
import { worlds } from "./endpoints/worlds.ts";

const endpointGroups = {
  ...worlds,
  ...clock,
  ...scenario,
  ...rehearsal,
  ...journal,
  ...data,
  ...account,
  ...catalogue,
};

type EndpointTable = typeof endpointGroups;
type CoveredName = { [R in keyof EndpointTable]: keyof EndpointTable[R]["methods"] }[keyof EndpointTable];
/** Methods of `Controls` without an endpoint. The next line fails to compile if there are any. */
type MissingName = Exclude<MethodName, CoveredName>;
true satisfies [MissingName] extends [never] ? true : { readonly "has no endpoint": MissingName };

const endpoints: Readonly<Record<string, AnyEndpoint>> = endpointGroups as never; // Safe: the cast discards only argument types.

/** Operations by operation id. */
export const controlOperations: Readonly<Record<string, AnyOperation>> = Object.fromEntries(
  Object.entries(endpoints).map(([key, { operation }]) => [key, operation]),
);

/** Endpoints by method name. */
export const remoteCalls: ReadonlyMap<string, AnyRemoteCall & Pick<AnyEndpoint, "operation">> = new Map(
  Object.values(endpoints).flatMap(({ operation, methods }) =>
    Object.entries(methods).map(([name, method]) => [name, { operation, ...method }] as const),
  ),
);

/** Builds the manual's table of endpoints: request, methods that send it, and effect. */
export function formatMethodsTable(): string {
  const rows = Object.values(endpoints).map(({ operation: { method, path, summary }, methods }) => [
    formatCode(`${method.toUpperCase()} ${path}`),
    Object.keys(methods).map(formatCode).join(" "),
    summary,
  ]);
  return markdown(["request", "in a test", "what it does"], rows);
}
