/** Options of the journal: `JournalOptions` for users, with their validation, and `JournalParts` for the sandbox. */

import { describeUnknown } from "../errors/nearest.ts";
import { UsageError } from "../errors/usage-error.ts";
import type { Service } from "../operation/service.ts";
import type { GetCallers } from "../scenario/check-matcher.ts";
import type { WaitOptions } from "../world/listeners.ts";
import type { MemoryLimit } from "./memory-limit.ts";

export const DEFAULT_BODY_BYTES = 8_192;

export type JournalOptions = {
  /** Maximum stored size of each request and response body, from 0 to 1,048,576 bytes. Default: 8,192. */
  readonly bodyBytes?: number | undefined;
};

const MAX_STORED_BODY_BYTES = 1_048_576;

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
    /** Services whose operations, problems and other names a matcher may use. */
    readonly services?: readonly Service[] | undefined;
    readonly callersOf?: GetCallers | undefined;
    /** Memory limit that all worlds of the server share. */
    readonly room?: MemoryLimit | undefined;
  };
