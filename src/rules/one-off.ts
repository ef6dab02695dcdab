/** Reads the `Prefer` header (RFC 7240), which requests a certain response: code=404, problem=eventNotFound or fault=reset. */

import { describeUnknown } from "../errors/nearest.ts";
import type { Exchange } from "../http/exchange.ts";
import type { RequestHeaders } from "../http/incoming-request.ts";
import { createServerError, fail } from "../operation/problem.ts";
import {
  applySettings,
  type GetSettings,
  listOperations,
  listProblems,
  type Service,
} from "../operation/service.ts";
import { DEFAULT_DRIBBLE, type Effect, FAULTS, respondAsSandbox } from "./effect.ts";

export function readPreference(headers: RequestHeaders, name: "code" | "problem" | "fault") {
  const value = name === "code" ? "\\d{3}" : '[^\\s",;]+';
  const pattern = new RegExp(`(?:^|[,;])\\s*${name}\\s*=\\s*"?(${value})"?\\s*(?:[,;]|$)`, "i");
  return pattern.exec(headers.get("prefer") ?? "")?.[1];
}

/** Rejects X-Vitrine-Respond, a header of earlier versions. If it had no effect, tests that send it could pass by accident. */
export function rejectRemovedHeader(): Effect {
  const detail = "Unknown header X-Vitrine-Respond. Send Prefer: problem=<key>, code=404 or fault=reset.";
  return respondAsSandbox(400, detail);
}

/** Returns the effect of the `Prefer` header. Unknown problems and faults return 400; an undocumented status adds a finding. */
export function toPreferredEffect(
  exchange: Exchange,
  services: readonly Service[],
  settingsOf: GetSettings,
): Effect | undefined {
  const { headers, operation } = exchange;
  const fault = readPreference(headers, "fault");
  if (fault !== undefined) {
    const kind = FAULTS.find((name) => name === fault);
    if (kind === undefined)
      return respondAsSandbox(400, `Prefer: ${describeUnknown("fault", fault, FAULTS)}`);
    return { kind: "fault", fault: kind === "dribble" ? DEFAULT_DRIBBLE : { kind } };
  }
  const problems = findProblemStatuses(exchange, services, settingsOf);
  const problem = readPreference(headers, "problem");
  if (problem !== undefined) {
    if (problems.has(problem)) return fail(problem);
    const unknown = describeUnknown(`problem of ${operation}`, problem, [...problems.keys()]);
    return respondAsSandbox(400, `Prefer: ${unknown}`);
  }
  const code = Number(readPreference(headers, "code"));
  const [key] = [...problems].find(([, status]) => status === code) ?? [];
  if (key !== undefined) return fail(key);
  // Any 5xx is allowed, because every server can fail.
  if (code >= 500 && code < 600) {
    exchange.findings.push({ key: "undocumentedReply", message: `The Prefer header requested a ${code}.` });
    return createServerError(code);
  }
  if (code < 200 || code >= 300) {
    const known = [...new Set(problems.values())].sort((left, right) => left - right).join(", ");
    const message = `${operation} does not document ${code}. Known: ${known}, and any 5xx.`;
    exchange.findings.push({ key: "preferenceNotMet", message });
  }
  return undefined;
}

function findProblemStatuses(exchange: Exchange, services: readonly Service[], settingsOf: GetSettings) {
  const found = listOperations(services).find(({ name }) => name === exchange.operation);
  if (found === undefined) return new Map<string, number>();
  const { operation } = found;
  const service = applySettings(found.service, settingsOf(found.service));
  return new Map(listProblems(service, operation).map((key) => [key, service.problems[key]?.status ?? 0]));
}
