/** Lint rules for retries: delays, number of attempts, and checks before a write is repeated. */

import type { RecordedExchange } from "../../journal/recorded-exchange.ts";
import type { LintRule } from "../lint-rule.ts";
import {
  findRepetitions,
  getCallKey,
  getWaitMs,
  groupBy,
  isAnswered,
  isTransientFailure,
} from "../traffic.ts";

/** Tolerance in ms, because the timers of a client can fire slightly early. */
const TOLERANCE_MS = 50;
const MIN_STORM_ATTEMPTS = 4;
/** Maximum average pause between attempts of a retry storm. */
const MAX_STORM_PAUSE_MS = 1_000;
/** Maximum delay of an automatic retry by an HTTP library. The client's own retries are later. */
const MAX_IMMEDIATE_MS = 500;

export const retryAfterIgnored: LintRule = {
  key: "retryAfterIgnored",
  severity: "error",
  title: "Calls again before Retry-After has passed",
  *find(traffic) {
    for (const own of groupBy(traffic.exchanges, getCallKey)) {
      const early = own.flatMap((rejected, index) => {
        const again = own[index + 1];
        const dueMs = readRetryAfterMs(rejected);
        if (again === undefined || dueMs === undefined || !isAnswered(rejected)) return [];
        return getWaitMs(rejected, again) + TOLERANCE_MS < dueMs ? [{ rejected, again, dueMs }] : [];
      });
      const [first] = early;
      if (first === undefined) continue;
      yield {
        exchanges: [...new Set(early.flatMap(({ rejected, again }) => [rejected, again]))],
        advice: `Before you call this operation again, wait ${Math.ceil(first.dueMs / 1000)} s, as Retry-After requires.`,
      };
    }
  },
};

export const retryStorm: LintRule = {
  key: "retryStorm",
  severity: "warning",
  title: "Retries many times without growing pauses",
  *find(traffic) {
    for (const attempts of findRepetitions(traffic.exchanges)) {
      const storm = findLongestFailure(attempts);
      const [first] = storm;
      const last = storm.at(-1);
      if (first === undefined || last === undefined || storm.length < MIN_STORM_ATTEMPTS) continue;
      if (getWaitMs(first, last) / (storm.length - 1) >= MAX_STORM_PAUSE_MS) continue;
      yield {
        exchanges: storm,
        advice: "Double the delay after each failure, add random jitter, and stop after a few attempts.",
      };
    }
  },
};

export const writeRetriedUnchecked: LintRule = {
  key: "writeRetriedUnchecked",
  severity: "error",
  title: "Repeats a write without checking whether the first one succeeded",
  *find(traffic) {
    const writes = traffic.findMatches({ method: ["POST", "PATCH"] });
    for (const attempts of findRepetitions(writes)) {
      for (const [index, attempt] of attempts.entries()) {
        const again = attempts[index + 1];
        const { status = 0 } = attempt;
        // A 503 means that the service did not start the work, so the client knows the outcome.
        const unknown = !isAnswered(attempt) || (status >= 500 && status !== 503);
        if (again === undefined || !unknown || traffic.isLogin(attempt)) continue;
        if (traffic.listBetween(attempt, again).some((other) => isCheckFor(other, attempt))) continue;
        yield {
          exchanges: [attempt, again],
          advice: `Before you repeat the ${attempt.method}, check with a GET of ${attempt.path} whether the first one succeeded.`,
        };
      }
    }
  },
};

export const repeatedAtOnce: LintRule = {
  key: "repeatedAtOnce",
  severity: "hint",
  title: "Repeats a write immediately after a lost response, perhaps in its HTTP library",
  *find(traffic) {
    const writes = traffic.findMatches({ method: ["POST", "PUT", "PATCH", "DELETE"] });
    for (const attempts of findRepetitions(writes)) {
      for (const [index, attempt] of attempts.entries()) {
        const again = attempts[index + 1];
        if (again === undefined || !isResponseLost(attempt) || !isSameRequest(attempt, again)) continue;
        if (traffic.listBetween(attempt, again).length > 0 || getWaitMs(attempt, again) > MAX_IMMEDIATE_MS)
          continue;
        yield {
          exchanges: [attempt, again],
          advice:
            "First check whether your HTTP library retries. Some libraries repeat a request when its connection breaks, such as Java's HttpURLConnection for each POST (-Dsun.net.http.retryPost=false).",
        };
      }
    }
  },
};

/** Whether the connection broke before any byte of the response. Excludes in-process requests, which have no Host header. */
function isResponseLost({ fault, headers }: RecordedExchange): boolean {
  return (fault === "reset" || fault === "empty") && headers["host"] !== undefined;
}

function isSameRequest({ headers: a }: RecordedExchange, { headers: b }: RecordedExchange): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

export const refusalRepeated: LintRule = {
  key: "refusalRepeated",
  severity: "warning",
  title: "Repeats a failed request without changing it",
  *find(traffic) {
    for (const attempts of findRepetitions(traffic.exchanges)) {
      const refused = attempts.filter(isRejected);
      const pointless = refused.filter((attempt, index) => {
        const before = refused[index - 1];
        if (before === undefined || before.status !== attempt.status) return false;
        return traffic.listBetween(before, attempt).every(({ changes }) => changes.length === 0);
      });
      const [first] = pointless;
      if (first === undefined) continue;
      const start = refused[refused.indexOf(first) - 1];
      yield {
        exchanges: start === undefined ? pointless : [start, ...pointless],
        advice: `Check why the request failed (${first.problem ?? first.status}): the same request will fail again.`,
      };
    }
  },
};

/** Whether the same request would fail again. Excludes expired tokens, because another lint rule reports them. */
function isRejected({ status = 0, problem = "" }: RecordedExchange): boolean {
  return status >= 400 && status < 500 && ![408, 429].includes(status) && !/expired/i.test(problem);
}

/** Parses Retry-After, in seconds or as a date. Returns the delay in ms. */
function readRetryAfterMs({ at, responseHeaders }: RecordedExchange): number | undefined {
  const value = responseHeaders["retry-after"];
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.parse(at);
  return Number.isFinite(ms) ? ms : undefined;
}

function findLongestFailure(attempts: readonly RecordedExchange[]): RecordedExchange[] {
  let longest: RecordedExchange[] = [];
  let run: RecordedExchange[] = [];
  for (const attempt of attempts) {
    run = isTransientFailure(attempt) ? [...run, attempt] : [];
    if (run.length > longest.length) longest = run;
  }
  return longest;
}

/** Whether `read` is a GET at or below the path of `write`, which can show the effect of the write. */
function isCheckFor(read: RecordedExchange, write: RecordedExchange): boolean {
  return read.method === "GET" && read.environment === write.environment && read.path.startsWith(write.path);
}
