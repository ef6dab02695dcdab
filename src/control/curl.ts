/** A call of the control API as a command for a shell. */

import { toPath } from "../operation/client.ts";
import type { AnyOperation, Example } from "../operation/operation.ts";

/** `curl -X POST http://localhost:4010/_vitrine/clock/advance -H 'Content-Type: application/json' -d '{"by":"24h"}'` */
export function curl(server: string, operation: AnyOperation, { params, query, body }: Example): string {
  const method = operation.method.toUpperCase();
  const url = server + toPath(operation, { params: params ?? {}, query: query ?? {} });
  const sent =
    body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`];
  return ["curl", ...(method === "GET" ? [] : [`-X ${method}`]), quoted(url), ...sent].join(" ");
}

/** As one word of a shell. */
function quoted(text: string): string {
  return /^[\w:/.~%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
