/** `vitrine explain`: prints which rules of a scenario apply to a request, and why the others do not. */

import { UsageError } from "../errors/usage-error.ts";
import { createSandbox } from "../open/create-sandbox.ts";
import type { GivenScenario } from "../open/typed-scenario.ts";
import type { ExplainInput, Explanation } from "../sandbox/views.ts";
import { defineCommand } from "./command.ts";

export const explain = defineCommand({
  name: "explain",
  summary: "show which rules of a scenario apply to a request, and why the others do not",
  takes: { name: "SCENARIO 'METHOD PATH'", least: 2, most: 2 },
  flags: {
    header: { value: "'NAME: VALUE'", many: true, about: "a header of the request" },
    body: { value: "JSON", about: "the JSON body of the request (default: a valid one)" },
    clock: { value: "WHEN", about: "time of the request (default: the clock of the scenario)" },
  },
  async run({ flags, operands: [scenario = "", request = ""], io }) {
    await using sandbox = await createSandbox({ scenario: scenario as GivenScenario, clock: flags.clock });
    io.out(formatExplanation(await sandbox.explain(toQuestion(request, flags))));
    return 0;
  },
});

type RequestOptions = { readonly header: readonly string[]; readonly body: string | undefined };

function toQuestion(text: string, { header, body }: RequestOptions): ExplainInput {
  const [, method = "", path = ""] = /^([A-Za-z]+)\s+(\/\S*)$/.exec(text.trim()) ?? [];
  if (path === "")
    throw createOptionError(`${JSON.stringify(text)} is not a request. Write 'POST /special-events'.`);
  const headers = header.map((line) => {
    const colon = line.indexOf(":");
    if (colon < 1) throw createOptionError(`--header ${JSON.stringify(line)} has no colon.`);
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return { method, path, headers: Object.fromEntries(headers), body };
}

function createOptionError(message: string): UsageError {
  return new UsageError("badOption", message);
}

function formatExplanation(explanation: Explanation): string {
  const { method, path, operation = "no operation", rules } = explanation;
  const word = (applied: boolean): string => (applied ? "applied " : "skipped ");
  const lines = rules.map(({ rule, applied, why }) => `  ${word(applied)} ${rule}: ${why}`);
  const none = lines.length === 0 ? ["  The scenario has no rules."] : lines;
  return [`${method} ${path} is ${operation}; ${describeResult(explanation)}.`, ...none, ""].join("\n");
}

/** Describes the response. If a rule prevents the response, `made` is the status that the service produced. */
function describeResult({ status, problem, fault, made, sent }: Explanation): string {
  const refusal = problem === undefined ? "" : `, ${problem}`;
  const broken = fault === undefined ? "" : `, fault ${fault}`;
  const part = sent === undefined ? "" : `, ${sent.bytes} of the ${sent.of} bytes of its body are sent`;
  if (status !== undefined) return `the response is ${status}${refusal}${broken}${part}`;
  return made === undefined
    ? `no response is sent${broken}`
    : `no response is sent${broken}; ${made}${refusal} is lost`;
}
