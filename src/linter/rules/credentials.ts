/** Lint rules for credentials that are leaked, malformed, or sent to the wrong service. */

import { isSecretName } from "../../journal/redaction.ts";
import { isPlaceholder } from "../../operation/credential-form.ts";
import type { NamedOperation } from "../../operation/service.ts";
import type { LintRule } from "../lint-rule.ts";
import { getIssuedMark, getTokenMark, groupBy } from "../traffic.ts";

export const credentialsInQuery: LintRule = {
  key: "credentialsInQuery",
  severity: "error",
  title: "Sends credentials in the query string",
  *find(traffic) {
    const leaking = traffic.exchanges.flatMap((exchange) => {
      const names = exchange.search
        .slice(1)
        .split("&")
        .filter((pair) => pair.includes("[redacted "))
        .map((pair) => pair.split("=", 1)[0] ?? "");
      if (names.length === 0) return [];
      return [{ exchange, names: names.filter(isSecretName).join(", ") || "the query" }];
    });
    for (const group of groupBy(leaking, ({ names }) => names))
      yield {
        exchanges: group.map(({ exchange }) => exchange),
        advice: `Send credentials in the Authorization header, because logs and browser histories store URLs (here: ${group[0]?.names}).`,
      };
  },
};

export const credentialsUnready: LintRule = {
  key: "credentialsUnready",
  severity: "error",
  title: "Sends unencoded credentials, or a placeholder instead of credentials",
  *find(traffic) {
    const unencoded = traffic.findMatches({ finding: "credentialsUnencoded" });
    if (unencoded.length > 0)
      yield {
        exchanges: unencoded,
        advice: "Encode `name:password` in Base64 for HTTP Basic, or let the HTTP library do it.",
      };
    const refused = traffic.findMatches({ finding: "credentialsPlaceholder" });
    // A service that accepts any credentials reports no placeholders, so the lint rule also checks the user name.
    const placeholders = traffic.exchanges.filter(
      (exchange) => refused.includes(exchange) || isPlaceholder(exchange.user ?? ""),
    );
    if (placeholders.length > 0)
      yield {
        exchanges: placeholders,
        advice: "Replace the placeholder with credentials: perhaps a variable is not set.",
      };
  },
};

export const wrongServiceToken: LintRule = {
  key: "wrongServiceToken",
  severity: "error",
  title: "Sends the credentials of one service to another service",
  *find(traffic) {
    const logins = traffic.findMatches({ status: 200 }).filter((exchange) => traffic.isLogin(exchange));
    const wrong = traffic.withTargets().flatMap(({ exchange, target }) => {
      const token = getTokenMark(exchange);
      const login = token === undefined ? undefined : logins.find((each) => getIssuedMark(each) === token);
      const foreign = login !== undefined && login.environment !== exchange.environment ? login : undefined;
      if (foreign === undefined && !hasWrongScheme(exchange.headers["authorization"], target)) return [];
      return [{ exchange, from: foreign }];
    });
    for (const group of groupBy(wrong, ({ exchange, from }) => `${exchange.environment} ${from?.seq}`)) {
      const from = group[0]?.from;
      const environment = group[0]?.exchange.environment;
      yield {
        exchanges: [...(from === undefined ? [] : [from]), ...group.map(({ exchange }) => exchange)],
        advice: `Store credentials by base URL: ${environment} accepts only its own${from === undefined ? ", in its own authentication scheme" : `, not a token of ${from.environment}`}.`,
      };
    }
  },
};

/** Whether the request has Basic credentials for a service that requires a token, or vice versa. */
function hasWrongScheme(authorization: string | undefined, { service, operation }: NamedOperation): boolean {
  const scheme = service.security[operation.security];
  if (authorization === undefined || scheme === undefined) return false;
  const { openapi } = scheme;
  const wantsBasic = openapi["type"] === "http" && openapi["scheme"] === "basic";
  return wantsBasic ? /^bearer /i.test(authorization) : /^basic /i.test(authorization);
}
