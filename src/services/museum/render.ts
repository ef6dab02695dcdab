/** Codec of the museum: reads requests, and renders JSON, problem+json and PNG. Source: museum-special-events, Endpoints and Errors. */

import { z } from "zod";
import { readQuery } from "../../http/percent.ts";
import { PROBLEM_JSON, toProblemResponse } from "../../http/problem-json.ts";
import { toViolation } from "../../operation/issue.ts";
import { noContent } from "../../operation/operation.ts";
import { fail, type Problem, resolveProblem, type StandardProblem } from "../../operation/problem.ts";
import type { Codec, RenderedResponse } from "../../operation/service.ts";
import { toJsonString } from "../../world/recent.ts";
import { getMuseumStatus, problems } from "./problems.ts";
import { type MuseumSettings, QrCode } from "./schemas.ts";

const JSON_TYPE = "application/json";
const PNG_TYPE = "image/png";
/** Security headers of every response. Assumed: like the mock server of the public OpenAPI description, which sends `x-frame-options`. */
const SAFE_HEADERS = { "x-content-type-options": "nosniff", "x-frame-options": "deny" };

const ProblemBody = z
  .object({
    type: z.string().describe("A stable URI of the problem."),
    title: z.string().describe("The cause, in one sentence with every invalid field."),
  })
  .meta({ id: "Problem" });

/** Error body if the setting `errorDetail` is on. */
const DetailedProblemBody = ProblemBody.extend({
  status: z.int().optional().describe("The status of the response."),
  detail: z.string().optional().describe("The cause, in one sentence."),
  errors: z
    .array(
      z.object({
        propertyPath: z.string().describe("The invalid field, such as `dates[0]`."),
        message: z.string().describe("The violated rule."),
      }),
    )
    .optional()
    .describe("All invalid fields. Absent for other problems."),
}).meta({ id: "Problem" });

export function buildProblemForms({ errorDetail }: MuseumSettings): Codec["problemForms"] {
  return () => ({ [PROBLEM_JSON]: errorDetail ? DetailedProblemBody : ProblemBody });
}

export const codec: Codec = {
  accepts: [JSON_TYPE],
  numbers: "declared",
  forms(schema) {
    if (schema === noContent) return {};
    return schema === QrCode ? { [PNG_TYPE]: { type: "string", format: "binary" } } : { [JSON_TYPE]: schema };
  },
  problemForms: () => ({ [PROBLEM_JSON]: ProblemBody }),
  negotiate: ({ operation }) => (operation?.responses[200] === QrCode ? PNG_TYPE : JSON_TYPE),
  query: (search) => readQuery(search, "refused"),
  refusesUnknown: (settings) => settingsOf(settings).strict,
  ownProblem: toMuseumProblem,
  render({ status, value, headers }, context): RenderedResponse | Promise<RenderedResponse> {
    const { media = JSON_TYPE, base } = context.exchange;
    const { Location: location } = headers;
    // Handlers return a `Location` relative to the base path, such as `/special-events/{eventId}`.
    const own = location === undefined ? headers : { ...headers, Location: base + location };
    if (value === undefined) return { status, headers: { ...SAFE_HEADERS, ...own }, body: undefined };
    const typed = { ...SAFE_HEADERS, ...own, "content-type": media };
    if (media === PNG_TYPE)
      return renderQrCode(QrCode.parse(value).text).then((body) => ({ status, headers: typed, body }));
    return { status, headers: typed, body: toJsonString(value) };
  },
  renderProblem(problem, { settings }): RenderedResponse {
    const { status: usual, title, detail, headers, issues = [] } = resolveProblem(problems, problem);
    const { errorDetail } = settingsOf(settings);
    const status = getMuseumStatus(usual, settingsOf(settings));
    const type = `urn:museum:problem:${problem.key}`;
    const own = { ...SAFE_HEADERS, ...headers };
    if (!errorDetail) return toProblemResponse(status, { type, title: detail }, own);
    const more = detail === title ? {} : { detail };
    const errors = issues.length === 0 ? {} : { errors: issues.map(toViolation) };
    return toProblemResponse(status, { type, title, status, ...more, ...errors }, own);
  },
};

function settingsOf(settings: unknown): MuseumSettings {
  return settings as MuseumSettings; // Safe cast: the sandbox has validated the settings.
}

/** Assumed: a body with an unsupported media type, or with JSON that is not an object, causes the problem `malformedBody`. */
function toMuseumProblem(problem: StandardProblem): Problem {
  const { key, title, issues } = problem;
  if (key === "unsupportedMedia")
    return fail("malformedBody", { title: title ?? "The body must be sent as application/json." });
  const whole = issues?.find((issue) => issue.in === "body" && issue.path.length === 0);
  if (key !== "invalidInput" || whole === undefined) return problem;
  const message = whole.message.replace("an object", "a JSON object");
  return fail("malformedBody", { title: `The body ${message}.`, issues });
}

async function renderQrCode(text: string): Promise<Uint8Array> {
  const [{ generate }, { toPng }] = await Promise.all([import("lean-qr"), import("./png.ts")]);
  return toPng(generate(text));
}
