// Loaded before each measured server: on SIGUSR2 it writes the longest delay of the event loop since the last time.

import { appendFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

const file = process.env["BENCH_LOOP_DELAYS"];
if (file !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  process.on("SIGUSR2", () => {
    appendFileSync(file, `${JSON.stringify({ max: delays.max / 1e6 })}\n`);
    delays.reset();
  });
}
