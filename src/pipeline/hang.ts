/** Ends the journal entry of a request that the fault `hang` leaves without a response. */

import type { IncomingRequest } from "../http/incoming-request.ts";
import type { JournalEntry } from "../journal/recorded-exchange.ts";
import type { SandboxCore } from "../sandbox/sandbox.ts";
import { HEADERS_TIMEOUT_MS } from "./broken-reply.ts";

/** Keeps the exchange open until the client disconnects, the default timeout of fetch passes, or the world ends. */
export async function endAfterHang(
  entry: JournalEntry,
  sandbox: SandboxCore,
  { signal }: IncomingRequest,
): Promise<void> {
  const { exchange } = entry;
  const applied = exchange.rules.findLast(({ outcome }) => outcome === "applied");
  exchange.waits = `fault hang, rule ${applied?.rule}`;
  sandbox.journal.tell(exchange);
  const { wall, ended } = sandbox.world;
  await wall.pause(HEADERS_TIMEOUT_MS, AbortSignal.any([signal, ended]));
  if (signal.aborted) exchange.gone = true;
  exchange.durationMs = wall.now() - (exchange.startedMs ?? 0);
  sandbox.journal.end(entry);
}
