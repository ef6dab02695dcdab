/**
 * The museum's codec: JSON, problem+json with `type` and `title`, and the QR code as an image. Source:
 * museum-special-events, Endpoints and Errors.
 */

import { z } from "zod";
import { toViolation } from "../../operation/issue.ts";
import { noContent } from "../../operation/operation.ts";
import { readQuery } from "../../operation/percent.ts";
import { fail, lookUp, type Problem, type StandardProblem } from "../../operation/problem.ts";
import { PROBLEM_JSON, problemJson } from "../../operation/problem-json.ts";
import type { Codec, Rendered } from "../../operation/service.ts";
import { jsonText } from "../../world/remembered.ts";
import { problems, statusOf } from "./problems.ts";
import { type MuseumSettings, QrCode } from "./schemas.ts";

const JSON_TYPE = "application/json";
const PNG_TYPE = "image/png";
const SAFE = { "x-content-type-options": "nosniff" };

const ProblemBody = z
  .object({
    type: z.string().describe("A stable URI of the problem."),
    title: z.string().describe("What is wrong, in one sentence that names every failing field."),
  })
  .meta({ id: "Problem" });

/** With the setting `errorDetail`. */
const DetailedProblemBody = ProblemBody.extend({
  status: z.int().optional().describe("The status of the answer."),
  detail: z.string().optional().describe("What is wrong, in one sentence."),
  errors: z
    .array(
      z.object({
        propertyPath: z.string().describe("The failing field, such as `dates[0]`."),
        message: z.string().describe("The rule that it breaks."),
      }),
    )
    .optional()
    .describe("Every failing field; of other problems none."),
}).meta({ id: "Problem" });

/** The form of refusals under these settings. */
export function problemFormsUnder({ errorDetail }: MuseumSettings): Codec["problemForms"] {
  return () => ({ [PROBLEM_JSON]: errorDetail ? DetailedProblemBody : ProblemBody });
}

export const codec: Codec = {
  accepts: [JSON_TYPE],
  numbers: "plain",
  forms(schema) {
    if (schema === noContent) return {};
    return schema === QrCode ? { [PNG_TYPE]: { type: "string", format: "binary" } } : { [JSON_TYPE]: schema };
  },
  problemForms: () => ({ [PROBLEM_JSON]: ProblemBody }),
  negotiate: ({ operation }) => (operation?.responses[200] === QrCode ? PNG_TYPE : JSON_TYPE),
  query: (search) => readQuery(search, "refused"),
  refusesUnknown: (settings) => settingsOf(settings).strict,
  ownProblem,
  render({ status, value, headers }, context): Rendered | Promise<Rendered> {
    const { media = JSON_TYPE, base } = context.exchange;
    const { Location: location } = headers;
    // IRIs of handlers are relative to the base address; the wire shows them with it.
    const own = location === undefined ? headers : { ...headers, Location: base + location };
    if (value === undefined) return { status, headers: { ...SAFE, ...own }, body: undefined };
    const typed = { ...SAFE, ...own, "content-type": media };
    if (media === PNG_TYPE)
      return toPng(QrCode.parse(value).text).then((body) => ({ status, headers: typed, body }));
    return { status, headers: typed, body: jsonText(value) };
  },
  renderProblem(problem, { settings }): Rendered {
    const { status: usual, detail, headers, issues = [] } = lookUp(problems, problem);
    const { errorDetail } = settingsOf(settings);
    const status = statusOf(usual, settingsOf(settings));
    const body = { type: `urn:museum:problem:${problem.key}`, title: detail };
    const more = errorDetail ? { status, detail, errors: issues.map(toViolation) } : {};
    return problemJson(status, { ...body, ...more }, headers);
  },
};

function settingsOf(settings: unknown): MuseumSettings {
  return settings as MuseumSettings; // checked against MuseumSettings when the sandbox took them
}

/** Assumed: 400 for a body of another type, as for one that is not JSON. */
function ownProblem(problem: StandardProblem): Problem {
  if (problem.key !== "unsupportedMedia") return problem;
  return fail("malformedBody", { title: problem.title ?? "The body must be sent as application/json." });
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
