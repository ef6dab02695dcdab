/**
 * The museum's codec: JSON, problem+json with `type` and `title`, and the QR code as an image. Source:
 * museum-special-events, Endpoints and Errors.
 */

import { z } from "zod";
import { noContent } from "../../operation/operation.ts";
import { propertyPath } from "../../operation/path.ts";
import { readQuery } from "../../operation/percent.ts";
import { type Issue, type Refusal, type Rejection, refusal } from "../../operation/problem.ts";
import { PROBLEM_JSON, problemJson } from "../../operation/problem-json.ts";
import type { Codec, RenderContext, Rendered } from "../../operation/service.ts";
import { brokenFields, problems } from "./problems.ts";
import { type MuseumSettings, QrCode } from "./schemas.ts";

const JSON_TYPE = "application/json";
const PNG_TYPE = "image/png";
const SAFE = { "x-content-type-options": "nosniff" };

const ProblemBody = z
  .object({
    type: z.string().meta({ description: "A stable URI of the problem." }),
    title: z.string().meta({ description: "What is wrong, in one sentence that names every failing field." }),
  })
  .meta({ id: "Problem" });

export const codec: Codec = {
  accepts: [JSON_TYPE],
  numbers: "plain",
  forms(schema) {
    if (schema === noContent) return {};
    return schema === QrCode ? { [PNG_TYPE]: { type: "string", format: "binary" } } : { [JSON_TYPE]: schema };
  },
  problemForms: () => ({ [PROBLEM_JSON]: ProblemBody }),
  negotiate: ({ operation }) =>
    operation !== undefined && Object.values(operation.responses).includes(QrCode) ? PNG_TYPE : JSON_TYPE,
  query: (search) => readQuery(search, "refused"),
  refusesUnknown: (settings) => settingsOf(settings).strict,
  refuse: toRefusal,
  render({ status, value, headers }, context): Rendered | Promise<Rendered> {
    const { media = JSON_TYPE } = context.exchange;
    const all = { ...SAFE, ...locate(headers, context) };
    if (value === undefined) return { status, headers: all, body: undefined };
    const typed = { ...all, "content-type": media };
    if (media === PNG_TYPE)
      return toPng(QrCode.parse(value).text).then((body) => ({ status, headers: typed, body }));
    return { status, headers: typed, body: JSON.stringify(value) };
  },
  renderRefusal(refused, { settings }): Rendered {
    const problem = problems[refused.problem as keyof typeof problems]; // the catalogue is the language's own
    const { errorDetail, validationStatus } = settingsOf(settings);
    const status = problem.status === 400 ? validationStatus : problem.status;
    const title = refused.title ?? problem.title;
    const body = { type: `urn:museum:problem:${refused.problem}`, title };
    const detail = { status, detail: title, errors: refused.violations ?? [] };
    const headers = { ...("headers" in problem ? problem.headers : {}), ...refused.headers };
    return problemJson(status, errorDetail ? { ...body, ...detail } : body, headers);
  },
};

function settingsOf(settings: unknown): MuseumSettings {
  return settings as MuseumSettings; // checked against MuseumSettings when the sandbox took them
}

function toRefusal(rejection: Rejection): Refusal {
  switch (rejection.kind) {
    case "unknownPath":
      return refusal("pathNotFound");
    case "wrongMethod":
      return refusal("methodNotAllowed", { headers: { Allow: rejection.allow.join(", ") } });
    case "bodyTooLarge":
      return refusal("bodyTooLarge", { title: `The body is larger than ${rejection.limitBytes} bytes.` });
    case "badTarget":
      return refusal("invalidInput", { title: rejection.message });
    case "malformedBody":
      return refusal("malformedBody", { title: `The body cannot be read: ${rejection.message}.` });
    case "unsupportedMedia":
      return refusal("malformedBody", {
        title: rejection.message ?? "The body must be sent as application/json.",
      });
    case "notAcceptable":
      return refusal("invalidInput", { title: "Only application/json is served." });
    case "invalidInput":
      return invalid(rejection.issues);
  }
}

function invalid(issues: readonly Issue[]): Refusal {
  const violations = issues.map((issue) => ({
    propertyPath: propertyPath(issue.path) || "body",
    message: sentence(issue),
  }));
  return refusal("invalidInput", brokenFields(violations));
}

function sentence(issue: Issue): string {
  const twice = issue.in === "query" && Array.isArray(issue.received);
  return twice ? "must be sent once" : issue.message;
}

/** IRIs of handlers are relative to the base address; the wire shows them with it. */
function locate(
  headers: Readonly<Record<string, string>>,
  { exchange }: RenderContext,
): Record<string, string> {
  const { Location: location, ...rest } = headers;
  return location === undefined ? rest : { ...rest, Location: exchange.base + location };
}

/** The library's default is transparent; a dark page behind that would make the code unreadable. */
const WHITE = [255, 255, 255, 255] as const;
const BLACK = [0, 0, 0, 255] as const;

async function toPng(text: string): Promise<Uint8Array> {
  const [{ generate }, { toPngBuffer }] = await Promise.all([
    import("lean-qr"),
    import("lean-qr/extras/node_export"),
  ]);
  return toPngBuffer(generate(text), { on: BLACK, off: WHITE, scale: 8 });
}
