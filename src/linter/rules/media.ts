/** Lint rules for the media types that a client accepts or sends. */

import type { RecordedExchange } from "../../journal/recorded-exchange.ts";
import { noContent } from "../../operation/operation.ts";
import type { NamedOperation } from "../../operation/service.ts";
import type { LintRule } from "../lint-rule.ts";
import { groupBy, type TargetedExchange } from "../traffic.ts";

export const acceptUnclear: LintRule = {
  key: "acceptUnclear",
  severity: "warning",
  title: "Sends no Accept header that names the media type of the response",
  *find(traffic) {
    const unclear = traffic.withTargets().filter(({ exchange, target }) => isUnclear(exchange, target));
    for (const exchanges of groupByHeader(unclear, "accept"))
      yield {
        exchanges,
        advice: `Send Accept with the media type that the client parses, such as application/json. The request had ${quoteHeader(exchanges, "accept")}, the response was ${exchanges[0]?.status === 406 ? "a 406" : getMedia(exchanges[0])}.`,
      };
  },
};

export const contentTypeWrong: LintRule = {
  key: "contentTypeWrong",
  severity: "error",
  title: "Sends a body with a wrong Content-Type, or with none",
  *find(traffic) {
    const wrong = traffic.withTargets().filter(({ exchange, target: { service, operation } }) => {
      const accepts = operation.request.accepts ?? service.codec.accepts;
      const media = stripParameters(exchange.headers["content-type"] ?? "");
      return operation.request.body !== undefined && hasBody(exchange) && !accepts.includes(media);
    });
    for (const exchanges of groupByHeader(wrong, "content-type"))
      yield {
        exchanges,
        advice: `Send Content-Type: application/json with a JSON body. The request had ${quoteHeader(exchanges, "content-type")}.`,
      };
  },
};

/** True for a 406, and if Accept lacks the received media type, unless the service has only this type and Accept allows it. */
function isUnclear(exchange: RecordedExchange, { service, operation }: NamedOperation): boolean {
  const { status = 0 } = exchange;
  const accept = exchange.headers["accept"] ?? "";
  if (status === 406) return true;
  const schema = operation.responses[status];
  if (schema === undefined || schema === noContent) return false;
  const named = accept.toLowerCase().split(",").map(stripParameters);
  if (named.includes(getMedia(exchange))) return false;
  const forms = Object.keys(service.codec.forms(schema));
  return forms.length > 1 || (accept !== "" && !named.some((part) => part.endsWith("/*")));
}

function hasBody({ requestText, headers }: RecordedExchange): boolean {
  const announced = "transfer-encoding" in headers || "content-type" in headers;
  return requestText !== undefined || announced || Number(headers["content-length"] ?? 0) > 0;
}

function groupByHeader(wrong: readonly TargetedExchange[], header: string): RecordedExchange[][] {
  const exchanges = wrong.map(({ exchange }) => exchange);
  return groupBy(exchanges, ({ environment, headers }) => `${environment} ${headers[header]}`);
}

function quoteHeader([first]: readonly RecordedExchange[], header: string): string {
  const value = first?.headers[header];
  return value === undefined ? "none" : JSON.stringify(value);
}

function getMedia(exchange: RecordedExchange | undefined): string {
  return stripParameters(exchange?.responseHeaders["content-type"] ?? "no body");
}

function stripParameters(media: string): string {
  return media.replace(/;.*/s, "").trim();
}
