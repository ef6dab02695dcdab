/**
 * The two request headers that ask for one answer once, without any setup: `Prefer: code=404`, and
 * `X-Vitrine-Respond: problem=invalidAction`, `status=404` or `fault=reset`. Never sticky.
 */

import type { RequestHeaders } from "../operation/asked.ts";
import type { Exchange } from "../operation/exchange.ts";
import { fail, serverError } from "../operation/problem.ts";
import {
  answeringUnder,
  documentedProblems,
  namedOperations,
  type Service,
  type SettingsOf,
} from "../operation/service.ts";
import { unknownName } from "../world/nearest.ts";
import { DEFAULT_DRIBBLE, type Effect, FAULTS, sandboxAnswer } from "./effect.ts";

/** The status that `Prefer: code=404` prefers; undefined: it says nothing of one. */
export function preferredStatus(headers: RequestHeaders): number | undefined {
  const [, code] =
    /(?:^|[,;])\s*code\s*=\s*"?(\d{3})"?\s*(?:[,;]|$)/i.exec(headers.get("prefer") ?? "") ?? [];
  return code === undefined ? undefined : Number(code);
}

/** What the request itself asks for; undefined: nothing. */
export function oneOff(
  exchange: Exchange,
  services: readonly Service[],
  settingsOf: SettingsOf,
): Effect | undefined {
  const problems = problemsOf(exchange, services, settingsOf);
  const wanted = exchange.headers.get("x-vitrine-respond");
  if (wanted !== null) return respond(wanted.trim(), exchange, problems);
  const code = preferredStatus(exchange.headers);
  if (code === undefined) return undefined;
  const effect = withStatus(code, exchange, problems);
  // A preference is not a demand (RFC 7240): one that cannot be met is recorded and not followed.
  if (typeof effect !== "string") return effect;
  exchange.findings.push({ key: "preferenceNotMet", message: effect });
  return undefined;
}

/** Key -> status, of the problems that the operation documents. */
type Problems = ReadonlyMap<string, number>;

function respond(text: string, exchange: Exchange, problems: Problems): Effect | undefined {
  const [, key = "", value = ""] = /^([a-z]+)\s*=\s*(\S+)$/.exec(text) ?? [];
  const refuse = (message: string): Effect => sandboxAnswer(400, `X-Vitrine-Respond: ${message}`);
  if (key === "status") {
    const effect = withStatus(Number(value), exchange, problems);
    return typeof effect === "string" ? refuse(effect) : effect;
  }
  if (key === "fault") {
    const kind = FAULTS.find((one) => one === value);
    if (kind === undefined) return refuse(unknownName("fault", value, FAULTS));
    return { kind: "fault", fault: kind === "dribble" ? DEFAULT_DRIBBLE : { kind } };
  }
  if (key !== "problem") return refuse('write "problem=<key>", "status=<number>" or "fault=<kind>".');
  if (problems.has(value)) return fail(value);
  return refuse(unknownName(`problem of ${exchange.operation}`, value, [...problems.keys()]));
}

/** The first problem with that status; undefined for a success; a message when the status is undocumented. */
function withStatus(status: number, exchange: Exchange, problems: Problems): Effect | string | undefined {
  const [problem] = [...problems].find(([, one]) => one === status) ?? [];
  if (problem !== undefined) return fail(problem);
  if (status >= 200 && status < 300) return undefined;
  // Any server can break, whatever it documents.
  if (status >= 500 && status < 600) {
    exchange.findings.push({ key: "undocumentedReply", message: `The request asked for a ${status}.` });
    return serverError(status);
  }
  const known = [...new Set(problems.values())].sort((one, other) => one - other);
  return `${exchange.operation} does not document ${status}. Known: ${known.join(", ")}, and any 5xx.`;
}

function problemsOf(exchange: Exchange, services: readonly Service[], settingsOf: SettingsOf): Problems {
  const found = namedOperations(services).find(({ name }) => name === exchange.operation);
  if (found === undefined) return new Map();
  const { operation } = found;
  const service = answeringUnder(found.service, settingsOf(found.service));
  return new Map(
    documentedProblems(service, operation).map((key) => [key, service.problems[key]?.status ?? 0]),
  );
}
