/** Says what is wrong with a file of the state, where, and which ways out there are. */

import { join } from "node:path";
import { UsageError } from "../../errors/usage-error.ts";
import { JOURNAL, MANIFEST, previousManifest } from "./state-names.ts";

/** Reports what is wrong with a file. */
export type Refuse = (
  file: string,
  why: string,
  at?: { readonly line: number; readonly byte: number },
  cause?: unknown,
) => never;

/** `previous`: the generations of the manifests that were replaced. */
export function refusal(folder: string, previous: readonly number[]): Refuse {
  const newest = Math.max(...previous);
  const back = `go back to the snapshot before (mv ${previousManifest(newest)} ${MANIFEST})`;
  return (file, why, at, cause) => {
    const later = file === JOURNAL ? "" : ", and move later logs away";
    const keep = `keep what comes before that line (truncate -s ${at?.byte} ${file}${later})`;
    const isCut = at !== undefined && at.byte > 0 && (file === JOURNAL || file.startsWith("log-"));
    const others = file === JOURNAL ? ["start without --keep-journal"] : previous.length > 0 ? [back] : [];
    const ways = [...(isCut ? [keep] : []), ...others];
    throw unreadable(join(folder, file), why, at, ways, cause);
  };
}

function unreadable(
  file: string,
  why: string,
  at: { readonly line: number; readonly byte: number } | undefined,
  ways: readonly string[],
  cause?: unknown,
): UsageError {
  const byte = at === undefined ? "" : ` (at byte ${at.byte})`;
  const all = [...ways, "start with --state-reset, which moves the state aside", "start without --data"];
  const message = `The state cannot be read: ${why}${byte}. Nothing was changed. Ways out: ${all.join("; ")}.`;
  return new UsageError("stateUnreadable", message, { file, line: at?.line }, { cause });
}
