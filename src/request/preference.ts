/** Says in the answer what became of a `Prefer: code=404` (RFC 7240, 3): a preference is no demand. */

import type { Exchange } from "../operation/exchange.ts";
import type { Sent } from "./sent.ts";

/** The header with which an answer says why it does not follow a preference. */
const PREFERENCE_HEADER = "X-Vitrine-Preference";

export function withPreference(sent: Sent, { headers, findings }: Exchange): Sent {
  const [, code] =
    /(?:^|[,;])\s*code\s*=\s*"?(\d{3})"?\s*(?:[,;]|$)/i.exec(headers.get("prefer") ?? "") ?? [];
  if (code === undefined) return sent;
  const why = findings.find(({ key }) => key === "preferenceNotMet")?.message;
  const said =
    Number(code) === sent.status
      ? { "Preference-Applied": `code=${code}` }
      : {
          [PREFERENCE_HEADER]:
            why ?? `The answer would not be ${code}: nothing but a refusal can be preferred.`,
        };
  return { ...sent, headers: { ...sent.headers, ...said } };
}
