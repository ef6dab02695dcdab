/** Reads a request body as JSON: size, encoding, media type. The service's codec renders its problems. */

import type { Exchange } from "../http/exchange.ts";
import type { IncomingRequest, RequestHeaders } from "../http/incoming-request.ts";
import { describeBinary } from "../journal/recorded-exchange.ts";
import { createBodyTooLarge, createMalformedBody, fail, type StandardProblem } from "../operation/problem.ts";
import type { BodyReader } from "../operation/service.ts";
import { once } from "../world/lazy.ts";

/** The accepted media types, and the members that the body may have. */
type AcceptedBody = { readonly accepts: readonly string[]; readonly mostMembers: number | undefined };
export type BodyResult = { readonly value: unknown } | StandardProblem;

/** A body of an unsupported media type is read up to this size, for readers of the journal. */
const MAX_UNSUPPORTED_BYTES = 8_192;

/** Reads a JSON body, and notes its text in the exchange. */
export function readBody(
  asked: IncomingRequest,
  exchange: Exchange,
  allowed: AcceptedBody,
  reading: BodyReader,
): BodyResult | Promise<BodyResult> {
  if (reading.empty !== undefined) return readOptional(asked, exchange, allowed, reading);
  const { accepts, mostMembers } = allowed;
  const unsupported = checkMedia(asked.headers, accepts, reading.exactTypes ?? false);
  const limitBytes = unsupported === undefined ? reading.limitBytes : MAX_UNSUPPORTED_BYTES;
  const announced = Number(asked.headers.get("content-length"));
  const bytes = announced > limitBytes ? undefined : asked.bytes(limitBytes);
  const finish = (whole: Uint8Array | undefined): BodyResult => {
    if (unsupported === undefined) return parseBody(whole, exchange, reading, mostMembers);
    if (whole !== undefined) exchange.requestText = decodeBody(whole, reading) ?? describeBinary(whole);
    return unsupported;
  };
  if (!(bytes instanceof Promise)) return finish(bytes);
  return bytes.then(finish, () => unsupported ?? createMalformedBody("the connection ended before it did"));
}

async function readOptional(
  asked: IncomingRequest,
  exchange: Exchange,
  allowed: AcceptedBody,
  { empty, ...reading }: BodyReader,
): Promise<BodyResult> {
  return (await asked.isEmpty()) ? { value: empty } : readBody(asked, exchange, allowed, reading);
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
  const written = headers.get("content-type")?.split(";")[0]?.trim(); // the charset is ignored: JSON is UTF-8
  const media = exactTypes ? written : written?.toLowerCase();
  return media === undefined || !accepts.includes(media) ? fail("unsupportedMedia") : undefined;
}

const decoder = once(() => new TextDecoder("utf-8", { fatal: true }));
const wholeDecoder = once(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }));

function decodeBody(bytes: Uint8Array, { keepsMark = false }: BodyReader): string | undefined {
  try {
    return (keepsMark ? wholeDecoder : decoder)().decode(bytes);
  } catch {
    return undefined; // not UTF-8: the caller reports it
  }
}
