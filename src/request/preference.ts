/** Says in the answer what became of a `Prefer: code=404` (RFC 7240, 3): a preference is no demand. */

import type { Exchange } from "../operation/exchange.ts";
import { preferredStatus } from "../rules/one-off.ts";
import type { Sent } from "./sent.ts";

/** The header with which an answer says why it does not follow a preference. */
const PREFERENCE_HEADER = "X-Vitrine-Preference";

export function withPreference(sent: Sent, { headers, findings }: Exchange): Sent {
  const wanted = preferredStatus(headers);
  if (wanted === undefined) return sent;
  const why = findings.find(({ key }) => key === "preferenceNotMet")?.message;
  const said =
    wanted === sent.status
      ? { "Preference-Applied": `code=${wanted}` }
      : { [PREFERENCE_HEADER]: why ?? whyNot(wanted, sent.status) };
  return { ...sent, headers: { ...sent.headers, ...said } };
}

function whyNot(wanted: number, status: number): string {
  return wanted >= 300 && status >= 400
    ? `The request was refused with ${status} before ${wanted} could be preferred.`
    : `The answer would not be ${wanted}: nothing but a refusal can be preferred.`;
}
