/** Reads a JSON request body. Checks its size, encoding and media type. */

import type { Exchange } from "../http/exchange.ts";
import type { IncomingRequest, RequestHeaders } from "../http/incoming-request.ts";
import { describeBinary } from "../journal/recorded-exchange.ts";
import { createBodyTooLarge, createMalformedBody, fail, type StandardProblem } from "../operation/problem.ts";
import type { BodyReader } from "../operation/service.ts";
import { once } from "../world/lazy.ts";

/** `mostMembers` is the maximum number of members in the JSON body. */
type AcceptedBody = { readonly accepts: readonly string[]; readonly mostMembers: number | undefined };
export type BodyResult = { readonly value: unknown } | StandardProblem;

/** Maximum size of a body with an unsupported media type, in bytes. The journal does not record larger ones. */
const MAX_UNSUPPORTED_BYTES = 8_192;

/** Reads and parses the body, and records its text. Returns a problem if it is too large, malformed or of an unsupported type. */
export function readBody(
  request: IncomingRequest,
  exchange: Exchange,
  allowed: AcceptedBody,
  reading: BodyReader,
): BodyResult | Promise<BodyResult> {
  if (reading.empty !== undefined) return readOptional(request, exchange, allowed, reading);
  const { accepts, mostMembers } = allowed;
  const unsupported = checkMedia(request.headers, accepts, reading.exactTypes ?? false);
  const limitBytes = unsupported === undefined ? reading.limitBytes : MAX_UNSUPPORTED_BYTES;
  const announced = Number(request.headers.get("content-length"));
  const bytes = announced > limitBytes ? undefined : request.bytes(limitBytes);
  const finish = (whole: Uint8Array | undefined): BodyResult => {
    if (unsupported === undefined) return parseBody(whole, exchange, reading, mostMembers);
    if (whole !== undefined) exchange.requestText = decodeBody(whole, reading) ?? describeBinary(whole);
    return unsupported;
  };
  if (!(bytes instanceof Promise)) return finish(bytes);
  // `bytes` rejects only if the connection ends before the body.
  return bytes.then(finish, () => unsupported ?? createMalformedBody("the connection ended before it did"));
}

async function readOptional(
  request: IncomingRequest,
  exchange: Exchange,
  allowed: AcceptedBody,
  { empty, ...reading }: BodyReader,
): Promise<BodyResult> {
  return (await request.isEmpty()) ? { value: empty } : readBody(request, exchange, allowed, reading);
}

function parseBody(
  bytes: Uint8Array | undefined,
  exchange: Exchange,
  reading: BodyReader,
  mostMembers: number | undefined,
): BodyResult {
  if (bytes === undefined) return createBodyTooLarge(reading.limitBytes);
  const text = decodeBody(bytes, reading);
  exchange.requestText = text ?? describeBinary(bytes);
  if (text === undefined) return createMalformedBody("it is not valid UTF-8");
  const parsed = reading.parse(text, mostMembers);
  if (parsed.error !== undefined) return createMalformedBody(parsed.error, parsed.path);
  exchange.body = parsed.value;
  return { value: parsed.value };
}

function checkMedia(headers: RequestHeaders, accepts: readonly string[], exactTypes: boolean) {
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    const title = `The content encoding ${JSON.stringify(encoding)} is not supported.`;
    return fail("unsupportedMedia", { title });
  }
  const written = headers.get("content-type")?.split(";")[0]?.trim(); // Ignores `charset`, because JSON is always UTF-8.
  const media = exactTypes ? written : written?.toLowerCase();
  return media === undefined || !accepts.includes(media) ? fail("unsupportedMedia") : undefined;
}

const decoder = once(() => new TextDecoder("utf-8", { fatal: true }));
const wholeDecoder = once(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }));

function decodeBody(bytes: Uint8Array, { keepsMark = false }: BodyReader): string | undefined {
  try {
    return (keepsMark ? wholeDecoder : decoder)().decode(bytes);
  } catch {
    return undefined; // The caller reports the invalid UTF-8.
  }
}
