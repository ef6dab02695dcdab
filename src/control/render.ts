/**
 * The codec of the control API: JSON, and problem+json with `type`, `title`, `status`, `detail` and, where one
 * place of the input is to blame, `pointer`.
 */

import { z } from "zod";
import { type AnyOperation, noContent } from "../operation/operation.ts";
import { toPointer } from "../operation/path.ts";
import { readQuery } from "../operation/percent.ts";
import { type Issue, type Refusal, type Rejection, refusal } from "../operation/problem.ts";
import { PROBLEM_JSON, problemJson } from "../operation/problem-json.ts";
import type { Codec, RenderContext, Rendered } from "../operation/service.ts";
import { fieldsAt, memberWith } from "../scenario/complaint.ts";
import { nearestName } from "../world/nearest.ts";
import { type ProblemKey, problems } from "./problems.ts";
import { EventStream } from "./schemas.ts";

const JSON_TYPE = "application/json";
const STREAM_TYPE = "text/event-stream";

const ProblemBody = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: "What is wrong, and what would be right." }),
    code: z.string().optional().meta({ description: "The code that the library's UsageError has." }),
    pointer: z.string().optional().meta({ description: "JSON pointer to the place in the input." }),
  })
  .meta({ id: "ControlProblem" });

export const codec: Codec = {
  accepts: [JSON_TYPE],
  numbers: "plain",
  forms: (schema) =>
    schema === noContent ? {} : { [schema === EventStream ? STREAM_TYPE : JSON_TYPE]: schema },
  problemForms: () => ({ [PROBLEM_JSON]: ProblemBody }),
  negotiate: ({ operation }) =>
    operation !== undefined && Object.values(operation.responses).includes(EventStream)
      ? STREAM_TYPE
      : JSON_TYPE,
  query: (search) => readQuery(search, "kept"),
  refusesUnknown: () => true,
  refuse: toRefusal,
  render({ status, value, headers }, { exchange }): Rendered {
    if (value === undefined) return { status, headers, body: undefined };
    const body = value instanceof ReadableStream ? value : JSON.stringify(value);
    return { status, headers: { "content-type": exchange.media ?? JSON_TYPE, ...headers }, body };
  },
  renderRefusal(refused): Rendered {
    const { status, title } = problems[refused.problem as ProblemKey]; // the catalogue is the language's own
    const { propertyPath: pointer = "", code } = refused.violations?.[0] ?? {};
    const body = {
      type: `urn:vitrine:control:${refused.problem}`,
      title,
      status,
      detail: refused.title ?? title,
      ...(code === undefined ? {} : { code }),
      ...(pointer === "" ? {} : { pointer }),
    };
    return problemJson(status, body, refused.headers);
  },
};

function toRefusal(rejection: Rejection, { operation }: RenderContext): Refusal {
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
      return refusal("malformedBody", {
        title: `The body cannot be read: ${rejection.message}.`,
        violations: placed(rejection.pointer, rejection.message),
      });
    case "unsupportedMedia":
      return refusal("unsupportedMedia", { title: rejection.message });
    case "notAcceptable":
      return refusal("invalidInput", { title: "Only application/json is served." });
    case "invalidInput":
      return invalid(rejection.issues, operation);
  }
}

function invalid(issues: readonly Issue[], operation: AnyOperation | undefined): Refusal {
  const sentence = issues
    .map((issue) => `${toPointer(issue.path) || `the ${issue.in}`} ${said(issue, operation)}`)
    .join("; ");
  const [first] = issues;
  return refusal("invalidInput", {
    title: sentence.endsWith("?") ? sentence : `${sentence}.`,
    violations: placed(toPointer(first?.path ?? []), first?.message ?? ""),
  });
}

/** For an unknown field: where it belongs, or what it may be a misspelling of. */
function said({ in: where, path, code, message }: Issue, operation: AnyOperation | undefined): string {
  const schema =
    where === "body" ? operation?.request.body : operation?.request[where === "query" ? "query" : "params"];
  if (code !== "unknown" || schema === undefined) return message;
  const field = String(path.at(-1));
  const home = memberWith(field, schema, []);
  if (home !== undefined) return `belongs in ${home}: write "${home}": { "${field}": … }`;
  const known = fieldsAt(schema, []);
  const nearest = nearestName(field, known);
  return `${message}${nearest === undefined ? `; known: ${known.join(", ")}` : `; did you mean ${nearest}?`}`;
}

function placed(pointer: string | undefined, message: string): Refusal["violations"] {
  return pointer === undefined ? [] : [{ propertyPath: pointer, message }];
}
