/** Explains the outcome of an exchange. */

import type { RecordedExchange } from "../journal/recorded-exchange.ts";
import type { OperationView } from "../sandbox/views.ts";

export type Reason = {
  readonly sentence: string;
  readonly source?: string | undefined;
  readonly fields: readonly InvalidField[];
};
export type InvalidField = { readonly field: string; readonly message: string };

export function buildReason(exchange: RecordedExchange, operations: readonly OperationView[]): Reason {
  const outcome = operations
    .find(({ name }) => name === exchange.operation)
    ?.outcomes.find(
      ({ status, problem }) => status === (exchange.status ?? exchange.made) && problem === exchange.problem,
    );
  const fields = wrongFields(exchange);
  // If fields are invalid, a table shows their messages, so the sentence does not repeat the title of the response.
  const own = fields.length > 0 || exchange.problem === undefined ? undefined : titleIn(exchange);
  return { sentence: sentenceOf(exchange, own ?? outcome?.title), source: outcome?.source, fields };
}

function sentenceOf(exchange: RecordedExchange, title: string | undefined): string {
  const { status, made, fault, gone, problem, operation, sent } = exchange;
  const rule = exchange.rules.find(({ outcome }) => outcome === "applied")?.rule;
  const by = rule === undefined ? "" : `Rule ${rule} applied. `;
  const done = made === undefined ? "" : ` The service did its work, but its ${made} was never sent.`;
  if (fault !== undefined && sent !== undefined)
    return `${by}The connection broke (${fault}): ${sent.bytes} of ${sent.of} bytes of the body were sent.`;
  if (fault !== undefined && status === undefined)
    return `${by}No response: the connection broke (${fault}).${done}`;
  if (gone !== undefined) return `No response: the client left before it.${done}`;
  if (status === undefined) return "No response yet.";
  if (operation === undefined && status >= 400) return "No operation has this path.";
  if (problem !== undefined) return `${by}${status} ${problem}: ${title ?? "refused."}`;
  return `${by}${status}${title === undefined ? "" : `: ${title}`}.`;
}

/** Returns the invalid fields that an error response reports, in its list of violations or in its title. */
function wrongFields(exchange: RecordedExchange): readonly InvalidField[] {
  const body = parsed(exchange.responseBody);
  const violations = body["violations"];
  if (Array.isArray(violations))
    return violations.map((one: Record<string, unknown>) => ({
      field: String(one["propertyPath"] ?? ""),
      message: String(one["message"] ?? ""),
    }));
  if (exchange.status === undefined || exchange.status < 400 || exchange.problem !== "invalidInput")
    return [];
  const titles = (titleIn(exchange) ?? "").replace(/\.$/, "").split("; ");
  return titles.flatMap((text) => {
    const [, field = "", message = ""] = /^(\S+) (.+)$/s.exec(text) ?? [];
    return message === "" ? [] : [{ field, message }];
  });
}

function titleIn({ responseBody }: RecordedExchange): string | undefined {
  const { title, detail } = parsed(responseBody);
  const text = detail ?? title;
  return typeof text === "string" ? text : undefined;
}

function parsed(body: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body ?? "");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // The body is truncated or not JSON.
  }
}
