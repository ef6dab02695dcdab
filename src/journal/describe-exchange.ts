/** One line about one exchange, as a person reads it: what was asked, what came of it, and why. */

import { shortened } from "../world/shown.ts";
import type { Brief } from "./recorded-exchange.ts";

const LONGEST_ADDRESS = 160;

/** `#2 POST /museum/v1.1/special-events no answer: reset, 201 was made · rule lost-create` */
export function describeExchange(exchange: Brief): string {
  const { seq, method, base, path, search, problem, rules = [], findings = [] } = exchange; // a capsule may lack them
  const acted = rules.filter(({ outcome }) => outcome === "applied").map(({ rule }) => rule);
  const found = (wanted: string) => findings.find(({ key }) => key === wanted)?.message.split("\n", 1)[0];
  const defect = found("defect");
  const parts = [
    `#${seq} ${method} ${shortened(base + path + search, LONGEST_ADDRESS)} ${outcomeOf(exchange)}`,
    problem,
    acted.length === 0 ? undefined : `rule ${[...new Set(acted)].join(", ")}`,
    found("nearMiss"),
    defect === undefined ? undefined : `a defect of the sandbox: ${defect}`,
  ];
  return parts.filter((part) => part !== undefined).join(" · ");
}

function outcomeOf({ status, fault, gone, made, sent }: Brief): string {
  if (status === undefined) {
    const why = [gone === true ? "the client gave up" : undefined, fault].filter((one) => one !== undefined);
    return `no answer: ${[...why, ...(made === undefined ? [] : [`${made} was made`])].join(", ")}`;
  }
  const part = sent === undefined ? "" : `, ${sent.bytes} of ${sent.of} bytes`;
  return fault === undefined ? String(status) : `${status}, ${fault}${part}`;
}
