/** How much of an exchange is stored: the beginning of a long body, a mark for a large entity. */

import type { Exchange } from "../http/exchange.ts";
import { fromUtf8, toUtf8 } from "../world/bytes.ts";
import { getPlatform } from "../world/platform.ts";
import type { Entity, StoreChange } from "../world/store.ts";
import { describeBinary } from "./recorded-exchange.ts";

const MAX_CHANGE_BYTES = 16_384;
/**
 * Estimated size of an exchange without its texts; assumes headers of usual size, though HTTP allows 16 KiB. It counts
 * twice: a reader makes a second one of it.
 */
const EXCHANGE_BYTES = 2_048;

/** Leaves as much of a finished exchange as the limits allow, and returns its size. The rest waits for a reader. */
export function trimExchange(exchange: Exchange, bodyBytes: number): number {
  const request = trimBody(exchange.requestText, bodyBytes);
  const response = trimBody(exchange.responseBody, bodyBytes);
  if (request !== undefined) {
    exchange.requestText = request.text;
    exchange.requestBytes = request.of;
  }
  if (response !== undefined) {
    exchange.responseBody = response.text;
    exchange.responseBytes = response.of;
  }
  const { changes, weight } = trimChanges(exchange.changes);
  exchange.changes = changes;
  const texts = (exchange.requestText?.length ?? 0) + (exchange.responseBody?.length ?? 0);
  return 2 * EXCHANGE_BYTES + texts + weight + exchange.path.length + exchange.search.length;
}

/** What is kept of a body that is too long, and of how many bytes; undefined where it fits. */
function trimBody(body: string | Uint8Array | undefined, mostBytes: number) {
  if (body === undefined) return undefined;
  if (typeof body !== "string")
    return body.byteLength <= mostBytes ? undefined : { text: describeBinary(body), of: undefined };
  if (body.length * 3 <= mostBytes) return undefined;
  const of = getPlatform().utf8Length(body);
  if (of <= mostBytes) return undefined;
  // A copy: a part of a text would keep the whole of it in memory.
  const text = fromUtf8(toUtf8(body.slice(0, mostBytes)).subarray(0, mostBytes));
  return { text: text.replace(/\uFFFD$/, ""), of };
}

/** Replaces entities that are too large to store by a mark; their collection and key remain. */
function trimChanges(changes: readonly StoreChange[]) {
  if (changes.length === 0) return { changes, weight: 0 };
  let weight = 0;
  const kept = changes.map((change) => {
    const own = estimateBytes(change.before) + estimateBytes(change.after);
    const fits = weight + own <= MAX_CHANGE_BYTES;
    weight += fits ? own : 0;
    return fits
      ? change
      : { ...change, before: markTooLarge(change.before), after: markTooLarge(change.after) };
  });
  return { changes: kept, weight };
}

function markTooLarge(entity: Entity | undefined): Entity | undefined {
  return entity === undefined ? undefined : { tooLarge: true };
}

/** Approximate size of a value in bytes; stops counting once it is too large anyway. */
function estimateBytes(value: unknown, limit: number = MAX_CHANGE_BYTES): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 8;
  let weight = 16;
  for (const key in value) {
    weight += key.length + estimateBytes((value as Record<string, unknown>)[key], limit - weight); // a key from `in`
    if (weight > limit) return weight;
  }
  return weight;
}
