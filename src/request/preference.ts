/** Reports in the response whether it follows `Prefer: code=404` or `problem=eventNotFound` (RFC 7240, section 3). */

import type { Exchange } from "../operation/exchange.ts";
import { preferred } from "../rules/one-off.ts";
import type { Sent } from "./sent.ts";

/** The response header that says why a preference was not followed. */
const PREFERENCE_HEADER = "X-Vitrine-Preference";

export function withPreference(sent: Sent, { headers, findings, problem }: Exchange): Sent {
  const key = preferred(headers, "problem");
  const wanted = key ?? preferred(headers, "code");
  if (wanted === undefined) return sent;
  const isMet = key === undefined ? Number(wanted) === sent.status : key === problem;
  const why = findings.find((finding) => finding.key === "preferenceNotMet")?.message;
  const said = isMet
    ? { "Preference-Applied": `${key === undefined ? "code" : "problem"}=${wanted}` }
    : { [PREFERENCE_HEADER]: why ?? whyNot(wanted, sent.status) };
  return { ...sent, headers: { ...sent.headers, ...said } };
}

function whyNot(wanted: string, status: number): string {
  return !/^[12]\d\d$/.test(wanted) && status >= 400
    ? `The request was refused with ${status} before ${wanted} could be preferred.`
    : `The answer would not be ${wanted}: nothing but a refusal can be preferred.`;
}
