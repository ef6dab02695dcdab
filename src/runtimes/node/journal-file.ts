/** Reads the file with the journals of a state folder. */

import { join } from "node:path";
import type { Coverage } from "../../journal/coverage.ts";
import type { SandboxCore } from "../../sandbox/sandbox.ts";
import { type JournalLine, JournalReader } from "../worker/journal-lines.ts";
import { readLines } from "./checked-lines.ts";
import type { StateFolder } from "./state-folder.ts";
import { generationsOf, JOURNAL } from "./state-names.ts";
import { refusal } from "./state-refusal.ts";

type HeadLine = { readonly store: string };

/**
 * Gives the worlds the journals that the folder has for them, and coverage the counts. Returns how long the file is, or
 * undefined where there is none. Its torn end is cut; anything else that is not as it was written is refused.
 */
export async function readJournals(
  { folder, files, manifest, notices }: StateFolder,
  worlds: readonly SandboxCore[],
  coverage: Coverage,
): Promise<number | undefined> {
  const path = join(folder, JOURNAL);
  const names = await files.list(folder);
  if (!names.includes(JOURNAL)) return undefined;
  const refuse = refusal(folder, generationsOf(names));
  const bytes = await files.read(path);
  const reader = new JournalReader(worlds, coverage);
  const broken = readLines(bytes, (value, line, byte) => {
    if (line > 1)
      reader.take(value as JournalLine); // only journalLines wrote the line
    else if ((value as HeadLine).store !== manifest.data.storeId)
      refuse(JOURNAL, "it belongs to another state", { line, byte });
  });
  const good = broken?.byte ?? bytes.length;
  if (broken !== undefined && (good === 0 || !broken.isLast)) refuse(JOURNAL, broken.reason, broken);
  if (good === 0) refuse(JOURNAL, "it is empty");
  if (good < bytes.length) {
    await files.truncate(path, good);
    const torn = bytes.length - good;
    notices.push(`${JOURNAL}: the last ${torn} bytes are no whole line, as after a kill; they were cut off.`);
  }
  reader.end();
  return good;
}
