/**
 * The codec of the control API: JSON, and problem+json with `type`, `title`, `status`, `detail` and, where one
 * place of the input is to blame, `pointer`.
 */

import { z } from "zod";
import { quoted, shortened } from "../errors/quote.ts";
import { type ParsedJson, parseJson } from "../http/json.ts";
import { type Path, reachesPrototype, toPointer } from "../http/json-pointer.ts";
import { readQuery } from "../http/percent.ts";
import { PROBLEM_JSON, problemJson, sandboxProblem } from "../http/problem-json.ts";
import { noContent } from "../operation/operation.ts";
import { lookUp } from "../operation/problem.ts";
import type { Codec, EventText, Rendered } from "../operation/service.ts";
import { platform } from "../world/platform.ts";
import { BEFORE_ALL, problems } from "./problems.ts";
import { EventStream } from "./schemas/journal.ts";

const JSON_TYPE = "application/json";
const STREAM_TYPE = "text/event-stream";

const ProblemBody = z
  .object({
    type: z.string().meta({
      description: "`urn:vitrine:control:` and its key, or `urn:vitrine:sandbox` before any operation.",
    }),
    title: z.string().meta({ description: "What went wrong, in one line." }),
    status: z.int().meta({ description: "The status of the answer." }),
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
  negotiate: ({ operation }) => (operation?.responses[200] === EventStream ? STREAM_TYPE : JSON_TYPE),
  query: (search) => readQuery(search, "kept"),
  refusesUnknown: () => true,
  ownProblem: (problem) => problem,
  render({ status, value, headers }, { exchange: { media = JSON_TYPE } }): Rendered {
    if (value === undefined) return { status, headers, body: undefined };
    // The operation's reply was checked: an event stream is the only one of its media type.
    const body = media === STREAM_TYPE ? (value as EventText) : JSON.stringify(value);
    return { status, headers: { "content-type": media, ...headers }, body };
  },
  renderProblem(problem): Rendered {
    const { status, title, detail, headers, issues } = lookUp(problems, problem);
    if ((BEFORE_ALL as readonly string[]).includes(problem.key))
      return sandboxProblem(status, title, headers);
    const [{ code, path } = { code: undefined, path: [] }] = issues ?? [];
    const pointer = shortened(toPointer(path), 1_000) || undefined;
    const type = `urn:vitrine:control:${problem.key}`;
    return problemJson(status, { type, title, status, detail, code, pointer }, headers);
  },
};

const LONGEST_KEY = 1_000;

export function parseStrictJson(text: string, mostMembers?: number): ParsedJson {
  const parsed = parseJson(text, "plain", mostMembers);
  if (parsed.error !== undefined) return parsed;
  const open: Set<string>[] = [];
  let refused: { error: string; path: Path } | undefined;
  platform()
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
          ? `duplicate key ${quoted(key)}`
          : reachesPrototype(key, path.at(-1))
            ? `the key ${quoted(key)} is not allowed`
            : key.length > LONGEST_KEY
              ? `the key ${quoted(key)} is longer than ${LONGEST_KEY} characters`
              : undefined;
        if (error !== undefined) refused ??= { error, path: [...path, shortened(key)] };
      },
    });
  return refused ?? parsed;
}
