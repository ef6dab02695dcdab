/** Codec of the control API: JSON, and problem+json with a `pointer` to the invalid input. */

import { z } from "zod";
import { quote, shorten } from "../errors/quote.ts";
import { type ParsedJson, parseJson } from "../http/json.ts";
import { type Path, reachesPrototype, toPointer } from "../http/json-pointer.ts";
import { readQuery } from "../http/percent.ts";
import { createSandboxProblem, PROBLEM_JSON, toProblemResponse } from "../http/problem-json.ts";
import { noContent } from "../operation/operation.ts";
import { resolveProblem } from "../operation/problem.ts";
import type { Codec, EventStrings, RenderedResponse } from "../operation/service.ts";
import { getPlatform } from "../world/platform.ts";
import { briefViews } from "./brief.ts";
import { GUARD_PROBLEMS, problems } from "./problems.ts";
import { EventStream } from "./schemas/journal.ts";

const JSON_TYPE = "application/json";
const STREAM_TYPE = "text/event-stream";

const ControlProblemBody = z
  .object({
    type: z.string().meta({
      description: "`urn:vitrine:control:` and the key, or `urn:vitrine:sandbox` before any operation.",
    }),
    title: z.string().meta({ description: "The problem, in one line." }),
    status: z.int().meta({ description: "The status of the response." }),
    detail: z.string().meta({ description: "The cause, and how to fix it." }),
    code: z.string().optional().meta({ description: "The code of the UsageError." }),
    pointer: z.string().optional().meta({ description: "JSON Pointer to the invalid input." }),
  })
  .meta({ id: "ControlProblem" });

export const codec: Codec = {
  accepts: [JSON_TYPE],
  numbers: "plain",
  forms(schema) {
    if (schema === noContent) return {};
    const brief = briefViews.has(schema) ? { "text/plain": z.string() } : {};
    return { [schema === EventStream ? STREAM_TYPE : JSON_TYPE]: schema, ...brief };
  },
  problemForms: () => ({ [PROBLEM_JSON]: ControlProblemBody }),
  negotiate: ({ operation }) => (operation?.responses[200] === EventStream ? STREAM_TYPE : JSON_TYPE),
  query: (search) => readQuery(search, "kept"),
  refusesUnknown: () => true,
  ownProblem: (problem) => problem,
  render(
    { status, value, headers },
    { exchange: { media = JSON_TYPE, query }, operation },
  ): RenderedResponse {
    if (value === undefined) return { status, headers, body: undefined };
    const answer = query["view"] === "brief" ? operation?.responses[status] : undefined;
    const toText = answer && briefViews.get(answer);
    if (toText !== undefined) return { status, headers: {}, body: toText(value as never) };
    // Safe cast: only event streams have this media type.
    const body = media === STREAM_TYPE ? (value as EventStrings) : JSON.stringify(value);
    return { status, headers: { "content-type": media, ...headers }, body };
  },
  renderProblem(problem): RenderedResponse {
    const { status, title, detail, headers, issues } = resolveProblem(problems, problem);
    if ((GUARD_PROBLEMS as readonly string[]).includes(problem.key))
      return createSandboxProblem(status, title, headers);
    const [{ code, path } = { code: undefined, path: [] }] = issues ?? [];
    const pointer = shorten(toPointer(path), 1_000) || undefined;
    const type = `urn:vitrine:control:${problem.key}`;
    return toProblemResponse(status, { type, title, status, detail, code, pointer }, headers);
  },
};

const MAX_KEY_CHARS = 1_000;

export function parseStrictJson(text: string, mostMembers?: number): ParsedJson {
  const parsed = parseJson(text, "plain", mostMembers);
  if (parsed.error !== undefined) return parsed;
  const open: Set<string>[] = [];
  let refused: { error: string; path: Path } | undefined;
  getPlatform()
    .packages.jsonc()
    .visit(text, {
      onObjectBegin: () => void open.push(new Set()),
      onObjectEnd: () => void open.pop(),
      onObjectProperty(key, _offset, _length, _line, _character, pathOf) {
        const path = pathOf();
        const keys = open.at(-1);
        const twice = keys?.has(key) === true;
        keys?.add(key);
        const error = twice
          ? `duplicate key ${quote(key)}`
          : reachesPrototype(key, path.at(-1))
            ? `the key ${quote(key)} is not allowed`
            : key.length > MAX_KEY_CHARS
              ? `the key ${quote(key)} is longer than ${MAX_KEY_CHARS} characters`
              : undefined;
        if (error !== undefined) refused ??= { error, path: [...path, shorten(key)] };
      },
    });
  return refused ?? parsed;
}
