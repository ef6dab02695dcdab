/** What an exchange sent, read as its service reads it, or why that is not known: never read, or not kept whole. */

import { readQuery } from "../http/percent.ts";
import { getBodyReader, type Service } from "../operation/service.ts";
import type { Matchable } from "./matcher.ts";

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
    return { value: getBodyReader(service).parse(requestText).value };
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
  return `its body was never read${answer === "" ? "" : `: ${answer} came first`}`;
}

function describeCut(bytes: number): string {
  return `a body of ${bytes} bytes was cut; a larger journal: { bodyBytes } keeps it`;
}
