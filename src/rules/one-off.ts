/**
 * The two request headers that ask for one answer once, without any setup: `Prefer: code=404`, and
 * `X-Vitrine-Respond: problem=invalidAction`, `status=404` or `fault=reset`. Never sticky.
 */

import type { Exchange } from "../operation/exchange.ts";
import { fail } from "../operation/problem.ts";
import { documentedProblems, namedOperations, type Service } from "../operation/service.ts";
import { unknownName } from "../world/nearest.ts";
import { DEFAULT_DRIBBLE, type Effect, FAULTS, sandboxAnswer } from "./effect.ts";

/** What the request itself asks for; undefined: nothing. */
export function oneOff(exchange: Exchange, services: readonly Service[]): Effect | undefined {
  const wanted = exchange.headers.get("x-vitrine-respond");
  if (wanted !== null) return respond(wanted.trim(), exchange, services);
  const code = /(?:^|[,;])\s*code\s*=\s*"?(\d{3})"?\s*(?:[,;]|$)/i.exec(
    exchange.headers.get("prefer") ?? "",
  )?.[1];
  if (code === undefined) return undefined;
  const effect = withStatus(Number(code), exchange, services);
  // A preference is not a demand (RFC 7240): one that cannot be met is recorded and not followed.
  if (typeof effect !== "string") return effect;
  exchange.findings.push({ key: "preferenceNotMet", message: effect });
  return undefined;
}

function respond(text: string, exchange: Exchange, services: readonly Service[]): Effect | undefined {
  const [, key = "", value = ""] = /^([a-z]+)\s*=\s*(\S+)$/.exec(text) ?? [];
  const refuse = (message: string): Effect => sandboxAnswer(400, `X-Vitrine-Respond: ${message}`);
  if (key === "status") {
    const effect = withStatus(Number(value), exchange, services);
    return typeof effect === "string" ? refuse(effect) : effect;
  }
  if (key === "fault") {
    const kind = FAULTS.find((one) => one === value);
    if (kind === undefined) return refuse(unknownName("fault", value, FAULTS));
    return { kind: "fault", fault: kind === "dribble" ? DEFAULT_DRIBBLE : { kind } };
  }
  if (key !== "problem") return refuse('write "problem=<key>", "status=<number>" or "fault=<kind>".');
  const problems = problemsOf(exchange, services).map(([problem]) => problem);
  if (problems.includes(value)) return fail(value);
  return refuse(unknownName(`problem of ${exchange.operation}`, value, problems));
}

/** The first problem with that status; undefined for a success; a message when the status is undocumented. */
function withStatus(
  status: number,
  exchange: Exchange,
  services: readonly Service[],
): Effect | string | undefined {
  const problems = problemsOf(exchange, services);
  const [problem] = problems.find(([, one]) => one === status) ?? [];
  if (problem !== undefined) return fail(problem);
  if (status >= 200 && status < 300) return undefined;
  if (status >= 500 && status < 600) return brokenServer(status, exchange);
  const known = [...new Set(problems.map(([, one]) => one))].sort((one, other) => one - other);
  return `${exchange.operation} does not document ${status}. Known: ${known.join(", ")}.`;
}

/** Any server can break, whatever it documents. */
function brokenServer(status: number, exchange: Exchange): Effect {
  exchange.findings.push({ key: "undocumentedReply", message: `The request asked for a ${status}.` });
  return { kind: "respond", status, headers: {}, body: undefined };
}

function problemsOf(
  exchange: Exchange,
  services: readonly Service[],
): (readonly [key: string, status: number])[] {
  const found = namedOperations(services).find(({ name }) => name === exchange.operation);
  if (found === undefined) return [];
  const { service, operation } = found;
  return documentedProblems(service, operation).map((key) => [key, service.problems[key]?.status ?? 0]);
}
