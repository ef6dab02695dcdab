/** Parses query and body as the service does. A result is undecided if the body was not read, or the journal stored only its start. */

import { readQuery } from "../http/percent.ts";
import { getBodyReader, type Service } from "../operation/service.ts";
import type { Matchable } from "./matcher.ts";

export type UndecidedResult = { readonly undecided: string };

/** Returns the parsed query. If the request was rejected before the service parsed it, parses it now. */
export function readExchangeQuery(exchange: Matchable, services: readonly Service[]): Matchable["query"] {
  const { search, query } = exchange;
  if (search === "" || Object.keys(query).length > 0) return query;
  return (findService(exchange, services)?.codec.query(search) ?? readQuery(search, "kept")).values;
}

/** Returns the parsed body. `value` is undefined if the body is missing or malformed. */
export function readExchangeBody(
  exchange: Matchable,
  services: readonly Service[],
): { readonly value: unknown } | UndecidedResult {
  const { body, requestText, requestBytes } = exchange;
  if (body !== undefined) return { value: body };
  if (requestBytes !== undefined) return { undecided: describeCut(requestBytes) };
  const service = findService(exchange, services);
  if (requestText !== undefined && service !== undefined)
    return { value: getBodyReader(service).parse(requestText).value };
  return hasNoBody(exchange) ? { value: undefined } : { undecided: describeUnread(exchange) };
}

/** Whether the URL or a body contains the text. Ignores case. */
export function findText(
  exchange: Matchable,
  text: string,
  services: readonly Service[],
): boolean | UndecidedResult {
  const { path, search, requestText = "", responseBody = "", requestBytes, responseBytes } = exchange;
  const parts = [path + search, requestText, typeof responseBody === "string" ? responseBody : ""];
  if (parts.some((part) => part.toLowerCase().includes(text.toLowerCase()))) return true;
  const cut = requestBytes ?? responseBytes;
  if (cut !== undefined) return { undecided: describeCut(cut) };
  const body = readExchangeBody(exchange, services);
  return "undecided" in body ? body : false;
}

function findService({ service }: Matchable, services: readonly Service[]): Service | undefined {
  return services.find(({ name }) => name === service);
}

function hasNoBody({ method, headers }: Matchable): boolean {
  const length = headers.get("content-length");
  if (length !== null) return Number(length) === 0;
  return !headers.has("transfer-encoding") && !["POST", "PUT", "PATCH"].includes(method);
}

function describeUnread({ status, made = status, problem, fault }: Matchable): string {
  const answer = [made ?? fault, problem].filter((part) => part !== undefined).join(" ");
  return `its body was never read${answer === "" ? "" : `, due to ${answer}`}`;
}

function describeCut(bytes: number): string {
  return `a body of ${bytes} bytes was truncated; to store it, set a larger journal: { bodyBytes }`;
}
