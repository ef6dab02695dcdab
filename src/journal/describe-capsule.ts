/** A capsule, and what came of its replay, as a person reads them: one line per item. */

import { shortened } from "../world/shown.ts";
import type { Capsule } from "./capsule.ts";
import { describeExchange } from "./describe-exchange.ts";
import type { ReplayDifference, ReplayReport } from "./replay.ts";

const LONGEST_SHOWN = 300;

/** Where the test began, what was sent and what came of it, and what became of the data. */
export function describeCapsule(capsule: Capsule): string {
  const { world, seed, clock, rules = [], journal, evicted, changes = [] } = capsule; // one written by hand may lack some
  const acted = rules.map(({ id, acted: times }) => `rule ${id} acted ${counted(times, "time")}`);
  const dropped = evicted === 0 ? [] : [`${counted(evicted, "earlier request")} dropped by the journal`];
  const changed = changes.map(({ kind, collection, key }) => `${kind} ${collection} ${key}`);
  return toText([
    `World ${world}, seed ${seed}, clock from ${clock.start} to ${clock.end}.`,
    ...acted,
    ...dropped,
    `${counted(journal.length, "request")}:`,
    ...journal.map((exchange) => `  ${describeExchange(exchange)}`),
    ...(changed.length === 0 ? ["The data did not change."] : ["The data changed:"]),
    ...changed.map((line) => `  ${line}`),
  ]);
}

/** Each request with the answer that it now got, and what differs in it. */
export function describeReplay({ ok, sent, requests, differences, skipped }: ReplayReport): string {
  const summary = `${counted(sent, "request")} sent again, ${ok ? "no difference" : counted(differences.length, "difference")}.`;
  const left = skipped.map(({ seq, why }) => `#${seq} not sent: ${why}`);
  const lines = requests.flatMap(({ seq, line }) => [
    line,
    ...differences.filter((one) => one.seq === seq).map(describeDifference),
  ]);
  return toText([summary, ...lines, ...left]);
}

function describeDifference({ what, recorded, replayed }: ReplayDifference): string {
  return `  ${what} was ${shown(recorded)}, is ${shown(replayed)}`;
}

/** In printable ASCII: bodies are anything. */
function shown(text: string): string {
  return shortened(text, LONGEST_SHOWN).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** `1 request`, `2 requests` */
function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function toText(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}
