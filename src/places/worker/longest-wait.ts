/** Ends what waits for too long: an object that waits is paid for, and nobody tells it that its client has gone. */

import { sandboxProblem } from "../../operation/problem-json.ts";
import type { Sent } from "../../request/sent.ts";
import { clearTimeout, setTimeout } from "../../world/timers.ts";

/** The answer of `act`, or after so many seconds a 503; `act` then finds its signal aborted, as by a client that has left. */
export function atMost<T>(
  seconds: number,
  act: (signal: AbortSignal) => T | Promise<T>,
): T | Sent | Promise<T | Sent> {
  const stop = new AbortController();
  const answer = act(stop.signal);
  if (!(answer instanceof Promise)) return answer;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      resolve(sandboxProblem(503, `This request has waited for ${seconds} s, the longest that it may.`));
      stop.abort();
    }, seconds * 1000);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
