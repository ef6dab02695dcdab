/** Finishes a test: verifies its sandbox. If the test failed, reports its requests and stores its capsule (the test as JSON). */

import { type Capsule, describeExchange, type RemoteSandbox, type Sandbox, UsageError } from "../index.ts";
import { printLine } from "../runtimes/node/environment.ts";

/** Whether failures of `sandbox.verify()` fail a test. With `strict`, warnings also fail it. */
export type Verify = boolean | "strict";

export type TestResult = {
  /** Name of the test, used as the prefix of each warning. Default: no prefix. */
  readonly name?: string;
  /** Undefined if the test neither passed nor failed, for example if it was skipped. */
  readonly passed: boolean | undefined;
  /** Whether the test is expected to fail. */
  readonly fails: boolean;
  /** Whether this is the last attempt: the runner does not retry the test. */
  readonly isLast: boolean;
  readonly verify: Verify;
  /** Adds a text to the reported error of the test. */
  readonly appendText: (text: string) => void;
  /** Stores the capsule (the test as JSON) of a failed test. */
  readonly storeCapsule: (capsule: Capsule) => Promise<void>;
};

type ReportSource = Pick<Sandbox | RemoteSandbox, "report" | "capsule" | "journal" | "lint">;

const MAX_REQUESTS = 10;

/** Throws a UsageError if the test passed, but the verification of its sandbox fails. */
export async function finishTest(sandbox: ReportSource, ended: TestResult): Promise<void> {
  const { name, passed, fails, isLast, verify, appendText, storeCapsule } = ended;
  if (passed === undefined) return;
  // If a client has just disconnected, give its requests 50 ms to end.
  if (passed) await sandbox.journal.idle({ within: "50ms" }).catch(() => {});
  const { failures, warnings } =
    passed && verify !== false ? await sandbox.report() : { failures: [], warnings: [] };
  const problems = verify === "strict" ? [...failures, ...warnings] : failures;
  if (verify !== "strict")
    for (const warning of warnings) printLine(name === undefined ? warning : `${name}: ${warning}`);
  const hasFailed = !passed || problems.length > 0;
  if (hasFailed !== fails && (isLast || !hasFailed)) await storeCapsule(await sandbox.capsule());
  if (!hasFailed) return;
  const text = await describeRequests(sandbox);
  if (!passed) return appendText(text);
  throw new UsageError("notVerified", `${problems.join(" ")}\n\n${text}`);
}

/** The error of a failed test, as test runners report it. */
export type Failure = { message?: string | undefined; stack?: string | undefined };

/** Adds a text to the message of a failure, and to the copy of the message in its stack. */
export function appendMessage(failure: Failure | undefined, text: string): void {
  if (failure === undefined) return;
  const { message = "", stack } = failure;
  const whole = `${message}\n\n${text}\n`;
  failure.message = whole;
  if (stack?.includes(message)) failure.stack = stack.replace(message, () => whole);
}

/** Describes the last 10 requests, each in one line. */
async function describeRequests(sandbox: ReportSource): Promise<string> {
  const count = await sandbox.journal.count();
  if (count === 0) return "The client sent no request.";
  const exchanges = await sandbox.journal.list({}, { limit: MAX_REQUESTS });
  const range = count > exchanges.length ? ` (the last ${exchanges.length} of ${count} requests)` : "";
  const repeats = (await sandbox.lint()).filter(({ rule }) => rule === "repeatedAtOnce");
  return [
    `What the client did${range}:`,
    ...exchanges.map((exchange) => `  ${describeExchange(exchange)}`),
    ...repeats.map(({ exchanges: [first, again], title }) => `  #${first} and #${again}: ${title}`),
  ].join("\n");
}
