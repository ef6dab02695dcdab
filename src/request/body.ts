/** Reads a request body as JSON: size, encoding, media type. The service's codec renders its problems. */

import type { Exchange } from "../operation/exchange.ts";
import { parseJson } from "../operation/json.ts";
import type { Path } from "../operation/path.ts";
import { fail, type StandardProblem } from "../operation/problem.ts";
import type { BodyReading, Codec } from "../operation/service.ts";

const BODY_LIMIT_BYTES = 1_048_576;

/** The default way to read the bodies of the two services. */
export function usualBodies({ numbers, exactTypes = false }: Codec): BodyReading {
  return { limitBytes: BODY_LIMIT_BYTES, parse: (text) => parseJson(text, numbers), exactTypes };
}

export type ReadBody = { readonly value: unknown } | StandardProblem;

/** Reads a JSON body, and notes its text in the exchange. `accepts` are the accepted media types. */
export async function readBody(
  request: Request,
  exchange: Exchange,
  accepts: readonly string[],
  { limitBytes, parse, empty, exactTypes = false }: BodyReading,
): Promise<ReadBody> {
  const contentType = request.headers.get("content-type") ?? undefined;
  if (empty !== undefined && (await hasNoBody(request))) return { value: empty };
  const unsupported = unsupportedMedia(request.headers, contentType, accepts, exactTypes);
  if (unsupported !== undefined) return unsupported;
  const bytes = await readBytes(request, limitBytes).catch(() => "broken off" as const); // the only way reading fails
  if (bytes === "broken off") return malformed("the connection ended before it did");
  if (bytes === undefined)
    return fail("bodyTooLarge", { title: `The body is larger than ${limitBytes} bytes.` });
  const text = decode(bytes);
  if (text === undefined) return malformed("it is not valid UTF-8");
  exchange.requestText = text;
  const parsed = parse(text);
  if (parsed.error !== undefined) return malformed(parsed.error, parsed.path);
  exchange.body = parsed.value;
  return { value: parsed.value };
}

function malformed(message: string, path?: Path): StandardProblem {
  const issues = path === undefined ? undefined : [{ path, message }];
  return fail("malformedBody", { title: `The body cannot be read: ${message}.`, issues });
}

function unsupportedMedia(
  headers: Headers,
  contentType: string | undefined,
  accepts: readonly string[],
  exactTypes: boolean,
): StandardProblem | undefined {
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    return fail("unsupportedMedia", {
      title: `The content encoding ${JSON.stringify(encoding)} is not supported.`,
    });
  }
  const written = contentType?.split(";")[0]?.trim();
  const media = exactTypes ? written : written?.toLowerCase();
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? "")?.[1];
  if (media === undefined || !accepts.includes(media)) return fail("unsupportedMedia");
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    return fail("unsupportedMedia", { title: `The charset ${JSON.stringify(charset)} is not supported.` });
  }
  return undefined;
}

/** Checks the headers first: over a socket, accessing `body` costs more than anything else. */
async function hasNoBody(request: Request): Promise<boolean> {
  const length = request.headers.get("content-length");
  if (request.headers.has("transfer-encoding") || Number(length ?? 0) > 0) return false;
  if (length !== null || request.body === null) return true;
  // From a socket there is a stream even where neither header announces one: its first chunk decides.
  const reader = request.clone().body?.getReader();
  const first = await reader?.read().catch(() => undefined);
  void reader?.cancel();
  return first?.done === true;
}

/** The whole body, or undefined when it is longer than the limit; what exceeds the limit is not stored. */
async function readBytes(request: Request, limitBytes: number): Promise<Uint8Array | undefined> {
  const announced = request.headers.get("content-length");
  if (Number(announced ?? 0) > limitBytes) return undefined;
  // Much cheaper than a stream, and the HTTP server admits no more than was announced.
  if (announced !== null) {
    const whole = await request.arrayBuffer();
    return whole.byteLength > limitBytes ? undefined : new Uint8Array(whole);
  }
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as ReadableStream<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limitBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined; // not UTF-8: the caller reports it
  }
}
