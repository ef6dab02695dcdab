/** How much a journal keeps, as the options of a sandbox say it. */

import { describeUnknown } from "../errors/nearest.ts";
import { UsageError } from "../errors/usage-error.ts";
import type { Service } from "../operation/service.ts";
import type { GetCallers } from "../scenario/check-matcher.ts";
import type { WaitOptions } from "../world/listeners.ts";
import type { MemoryLimit } from "./memory-limit.ts";

export const DEFAULT_BODY_BYTES = 8_192;

export type JournalOptions = {
  /** How much is kept of each body of a request and an answer: 0 to 1,048,576 bytes. Default 8,192. */
  readonly bodyBytes?: number | undefined;
};

const MAX_STORED_BODY_BYTES = 1_048_576;

/** Throws a UsageError for options that there are not, or a size out of range. */
export function checkJournalOptions(options: JournalOptions = {}): void {
  const { bodyBytes = DEFAULT_BODY_BYTES, ...others } = options;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new UsageError("badOption", describeUnknown("option of journal", unknown, ["bodyBytes"]));
  if (Number.isInteger(bodyBytes) && bodyBytes >= 0 && bodyBytes <= MAX_STORED_BODY_BYTES) return;
  const message = `journal.bodyBytes must be a whole number from 0 to ${MAX_STORED_BODY_BYTES}, not ${JSON.stringify(bodyBytes)}.`;
  throw new UsageError("badOption", message);
}

export type JournalParts = JournalOptions &
  Partial<WaitOptions> & {
    /** Those whose exchanges it keeps. */
    readonly services?: readonly Service[] | undefined;
    readonly callersOf?: GetCallers | undefined;
    /** Shared with the other worlds of the server. */
    readonly room?: MemoryLimit | undefined;
  };
