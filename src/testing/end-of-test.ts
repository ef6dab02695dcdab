/** What every binding does when a test has run: verify, describe the requests of a failed test, keep its capsule. */

import { type Capsule, describeExchange, type RemoteSandbox, type Sandbox, UsageError } from "../index.ts";
import { printLine } from "../runtimes/node/environment.ts";

/** Whether a test that passed fails with the failures of `verify`; `strict`: with its warnings too. */
export type Verify = boolean | "strict";

export type TestResult = {
  /** Before each warning. Left out: the runner tells which test it is. */
  readonly name?: string;
  /** Undefined: it was neither passed nor failed, as one that is skipped on the way. */
  readonly passed: boolean | undefined;
  /** Its author expects it to fail. */
  readonly fails: boolean;
  /** It is not tried again. */
  readonly isLast: boolean;
  readonly verify: Verify;
  /** Adds to the failure of a test that failed what its client did. */
  readonly tell: (text: string) => void;
  /** Keeps what is needed to play a failed test again. */
  readonly keep: (capsule: Capsule) => Promise<void>;
};

type ReportSource = Pick<Sandbox | RemoteSandbox, "report" | "capsule" | "journal" | "lint">;

const MAX_REQUESTS = 10;

/** Throws a UsageError where a test passed, and its sandbox is not verified. */
export async function finishTest(sandbox: ReportSource, ended: TestResult): Promise<void> {
  const { name, passed, fails, isLast, verify, tell, keep } = ended;
  if (passed === undefined) return;
  // A request whose client has just left ends in a moment.
  if (passed) await sandbox.journal.idle({ within: "50ms" }).catch(() => {});
  const { failures, warnings } =
    passed && verify !== false ? await sandbox.report() : { failures: [], warnings: [] };
  const surprises = verify === "strict" ? [...failures, ...warnings] : failures;
  if (verify !== "strict")
    for (const warning of warnings) printLine(name === undefined ? warning : `${name}: ${warning}`);
  const hasFailed = !passed || surprises.length > 0;
  if (hasFailed !== fails && (isLast || !hasFailed)) await keep(await sandbox.capsule());
  if (!hasFailed) return;
  const text = await describeRequests(sandbox);
  if (!passed) return tell(text);
  throw new UsageError("notVerified", `${surprises.join(" ")}\n\n${text}`);
}

/** An error as runners show it. */
export type Failure = { message?: string | undefined; stack?: string | undefined };

/** Adds a text to the message of a failure, also where that begins its stack. */
export function appendMessage(failure: Failure | undefined, text: string): void {
  if (failure === undefined) return;
  const { message = "", stack } = failure;
  const whole = `${message}\n\n${text}\n`;
  failure.message = whole;
  if (stack?.includes(message)) failure.stack = stack.replace(message, () => whole);
}

/** The last requests, one line each. */
async function describeRequests(sandbox: ReportSource): Promise<string> {
  const count = await sandbox.journal.count();
  if (count === 0) return "The client sent no request.";
  const exchanges = await sandbox.journal.list({}, { limit: MAX_REQUESTS });
  const these = count > exchanges.length ? ` (the last ${exchanges.length} of ${count} requests)` : "";
  const repeats = (await sandbox.lint()).filter(({ rule }) => rule === "repeatedAtOnce");
  return [
    `What the client did${these}:`,
    ...exchanges.map((exchange) => `  ${describeExchange(exchange)}`),
    ...repeats.map(({ exchanges: [first, again], title }) => `  #${first} and #${again}: ${title}`),
  ].join("\n");
}
