/**
 * Forces one response without any setup, by a preference of the request (RFC 7240): `Prefer: code=404`,
 * `Prefer: problem=eventNotFound` or `Prefer: fault=reset`.
 */

import { unknownName } from "../errors/nearest.ts";
import type { Exchange } from "../http/exchange.ts";
import type { RequestHeaders } from "../http/incoming-request.ts";
import { fail, serverError } from "../operation/problem.ts";
import {
  answeringUnder,
  documentedProblems,
  namedOperations,
  type Service,
  type SettingsOf,
} from "../operation/service.ts";
import { DEFAULT_DRIBBLE, type Effect, FAULTS, sandboxAnswer } from "./effect.ts";

const FORMS = {
  code: /(?:^|[,;])\s*code\s*=\s*"?(\d{3})"?\s*(?:[,;]|$)/i,
  problem: /(?:^|[,;])\s*problem\s*=\s*"?([^\s",;]+)"?\s*(?:[,;]|$)/i,
  fault: /(?:^|[,;])\s*fault\s*=\s*"?([^\s",;]+)"?\s*(?:[,;]|$)/i,
};

export function preferred(headers: RequestHeaders, name: keyof typeof FORMS): string | undefined {
  return FORMS[name].exec(headers.get("prefer") ?? "")?.[1];
}

/** The removed header is an error, so that no test passes by accident. */
export function removedHeader(): Effect {
  return sandboxAnswer(
    400,
    "Unknown header X-Vitrine-Respond. Send Prefer: problem=<key>, code=404 or fault=reset.",
  );
}

/** The effect that the request prefers. An unknown problem or fault is a 400, an undocumented status a finding. */
export function oneOff(
  exchange: Exchange,
  services: readonly Service[],
  settingsOf: SettingsOf,
): Effect | undefined {
  const { headers, operation } = exchange;
  const fault = preferred(headers, "fault");
  if (fault !== undefined) {
    const kind = FAULTS.find((one) => one === fault);
    if (kind === undefined) return sandboxAnswer(400, `Prefer: ${unknownName("fault", fault, FAULTS)}`);
    return { kind: "fault", fault: kind === "dribble" ? DEFAULT_DRIBBLE : { kind } };
  }
  const problems = problemsOf(exchange, services, settingsOf);
  const problem = preferred(headers, "problem");
  if (problem !== undefined) {
    if (problems.has(problem)) return fail(problem);
    const unknown = unknownName(`problem of ${operation}`, problem, [...problems.keys()]);
    return sandboxAnswer(400, `Prefer: ${unknown}`);
  }
  const code = Number(preferred(headers, "code"));
  const [key] = [...problems].find(([, status]) => status === code) ?? [];
  if (key !== undefined) return fail(key);
  // Any server can break, also if its operations document no 5xx.
  if (code >= 500 && code < 600) {
    exchange.findings.push({ key: "undocumentedReply", message: `The request asked for a ${code}.` });
    return serverError(code);
  }
  if (code < 200 || code >= 300) {
    const known = [...new Set(problems.values())].sort((one, other) => one - other).join(", ");
    const message = `${operation} does not document ${code}. Known: ${known}, and any 5xx.`;
    exchange.findings.push({ key: "preferenceNotMet", message });
  }
  return undefined;
}

/** The status of each problem that the operation documents. */
function problemsOf(
  exchange: Exchange,
  services: readonly Service[],
  settingsOf: SettingsOf,
): ReadonlyMap<string, number> {
  const found = namedOperations(services).find(({ name }) => name === exchange.operation);
  if (found === undefined) return new Map();
  const { operation } = found;
  const service = answeringUnder(found.service, settingsOf(found.service));
  return new Map(
    documentedProblems(service, operation).map((key) => [key, service.problems[key]?.status ?? 0]),
  );
}
