/** Lint rules for early logins and expired tokens. Source: common-account-billing, Limits. */

import type { RecordedExchange } from "../../journal/recorded-exchange.ts";
import { DAY_MS } from "../../world/time.ts";
import type { LintRule } from "../lint-rule.ts";
import { getIssuedMark, getTokenMark, groupBy } from "../traffic.ts";

export const loginTooOften: LintRule = {
  key: "loginTooOften",
  severity: "error",
  title: "Logs in more often than once in 24 hours",
  *find(traffic) {
    const logins = traffic.exchanges.filter((exchange) => traffic.isLogin(exchange));
    const getUser = (login: RecordedExchange) => `${login.environment} ${login.user ?? login.requestText}`;
    for (const attempts of groupBy(logins, getUser)) {
      const early = attempts.filter((attempt, index) => {
        const previous = attempts.slice(0, index).findLast(({ status }) => status === 200);
        const tooSoon = previous !== undefined && Date.parse(attempt.at) - Date.parse(previous.at) < DAY_MS;
        return attempt.status === 429 || (tooSoon && attempt.status === 200);
      });
      const [earliest] = early;
      if (earliest === undefined) continue;
      const first = attempts.filter(({ status, seq }) => status === 200 && seq < earliest.seq).slice(-1);
      yield {
        exchanges: [...first, ...early],
        advice:
          "Store the token, share it between all parts of the client, and log in again only shortly before its `exp`.",
      };
    }
  },
};

export const tokenKeptPastExp: LintRule = {
  key: "tokenKeptPastExp",
  severity: "hint",
  title: "Uses a token after its exp",
  *find(traffic) {
    const expired = traffic.findMatches({ status: 401, problem: { $regex: "(?i)expired" } });
    const logins = traffic.exchanges.filter((exchange) => traffic.isLogin(exchange));
    for (const late of groupBy(expired, (exchange) => getTokenMark(exchange) ?? "")) {
      const [first] = late;
      const token = first === undefined ? undefined : getTokenMark(first);
      if (first === undefined || token === undefined) continue;
      // Skips a token that a sandbox rule rejected, because the client cannot see this in `exp`.
      if (first.rules.some(({ outcome }) => outcome === "applied")) continue;
      const known = [
        ...logins.filter((login) => getIssuedMark(login) === token),
        ...traffic.exchanges.filter((call) => getTokenMark(call) === token && call.status !== 401),
      ].filter(({ seq }) => seq < first.seq);
      if (known.length === 0) continue;
      yield {
        exchanges: [...known.slice(-1), first],
        advice:
          "Read `exp` in the token, and log in again after that time. Do not count from the login, because it may return an older token.",
      };
    }
  },
};

export const expiredTokenReused: LintRule = {
  key: "expiredTokenReused",
  severity: "error",
  title: "Sends an expired token again after a 401",
  *find(traffic) {
    const shown = traffic.exchanges.filter((exchange) => getTokenMark(exchange) !== undefined);
    const expired = traffic.findMatches({ status: 401, problem: { $regex: "(?i)expired" } });
    for (const uses of groupBy(shown, (exchange) => getTokenMark(exchange) ?? "")) {
      const refused = uses.findIndex((exchange) => expired.includes(exchange));
      const wrong = refused < 0 ? [] : uses.slice(refused);
      if (wrong.length >= 2)
        yield {
          exchanges: wrong,
          advice:
            "Read `exp` before each request. After a 401, log in again once instead of sending the same token.",
        };
    }
  },
};
