/**
 * What an exchange sent, read again as the service reads it: a request that was refused early, or ended long ago, is
 * compared as the one that was worked on. Tells what is not known: a body that was never read, or not kept whole.
 */

import type { ParsedJson } from "../http/json.ts";
import { readQuery } from "../http/percent.ts";
import { getBodyReader, type Service } from "../operation/service.ts";
import type { Matchable } from "./matcher.ts";

/** Why something is not known. */
export type UndecidedResult = { readonly undecided: string };

/** The query as the service reads it, also where the request was refused before. */
export function readExchangeQuery(exchange: Matchable, services: readonly Service[]): Matchable["query"] {
  const { search, query } = exchange;
  if (search === "" || Object.keys(query).length > 0) return query;
  return (findService(exchange, services)?.codec.query(search) ?? readQuery(search, "kept")).values;
}

/** The body as the service reads it; its value is undefined where none was sent, or none that can be read. */
export function readExchangeBody(
  exchange: Matchable,
  services: readonly Service[],
): { readonly value: unknown } | UndecidedResult {
  const { body, requestText, requestBytes } = exchange;
  if (body !== undefined) return { value: body };
  if (requestBytes !== undefined) return { undecided: describeCut(requestBytes) };
  const service = findService(exchange, services);
  if (requestText !== undefined && service !== undefined)
    return { value: getParsedValue(getBodyReader(service).parse(requestText)) };
  return hasNoBody(exchange) ? { value: undefined } : { undecided: describeUnread(exchange) };
}

/** Whether a text stands in the address or in one of the bodies, in upper or lower case. */
export function findText(
  exchange: Matchable,
  text: string,
  services: readonly Service[],
): boolean | UndecidedResult {
  const { path, search, requestText = "", responseBody = "", requestBytes, responseBytes } = exchange;
  const places = [path + search, requestText, typeof responseBody === "string" ? responseBody : ""];
  if (places.some((place) => place.toLowerCase().includes(text.toLowerCase()))) return true;
  const cut = requestBytes ?? responseBytes;
  if (cut !== undefined) return { undecided: describeCut(cut) };
  const body = readExchangeBody(exchange, services);
  return "undecided" in body ? body : false;
}

/** Undefined for a text that is not JSON. */
function getParsedValue(parsed: ParsedJson): unknown {
  return parsed.error === undefined ? parsed.value : undefined;
}

function findService({ service }: Matchable, services: readonly Service[]): Service | undefined {
  return services.find(({ name }) => name === service);
}

/** Whether there was no body at all. */
function hasNoBody({ method, headers }: Matchable): boolean {
  const length = headers.get("content-length");
  if (length !== null) return Number(length) === 0;
  return !headers.has("transfer-encoding") && !["POST", "PUT", "PATCH"].includes(method);
}

function describeUnread({ status, made = status, problem, fault }: Matchable): string {
  const answer = [made ?? fault, problem].filter((part) => part !== undefined).join(" ");
  return `its body was never read${answer === "" ? "" : `: ${answer} came first`}`;
}

function describeCut(bytes: number): string {
  return `a body of ${bytes} bytes was cut; a larger journal: { bodyBytes } keeps it`;
}
