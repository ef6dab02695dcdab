/** Adds `toHaveReceived` to `expect`: `await expect(sandbox).toHaveReceived({ operation }, { times: 1 })`. */

import { type Expectation, type RemoteSandbox, type Sandbox, UsageError } from "../index.ts";

/** Matcher, or name of an operation. */
type Wanted = NonNullable<Parameters<Sandbox["journal"]["count"]>[0]>;

/** Number of matches (default: at least one) and timeout. Both have the same meaning as in `journal.verify`. */
export type ReceivedOptions = Pick<Expectation, "times" | "within">;

export type SandboxMatchers = {
  /** Checks that the sandbox or world has received a matching request. Await the returned promise. */
  toHaveReceived(matcher: Wanted, how?: ReceivedOptions): Promise<void>;
};

type MatcherResult = { readonly pass: boolean; readonly message: () => string };
type Verifiable = Pick<Sandbox | RemoteSandbox, "journal">;

export const matchers = {
  /** With `expect(…).not` and without `how`, checks that no request matches. */
  async toHaveReceived(
    this: { readonly isNot?: boolean },
    received: unknown,
    given: Wanted,
    how: ReceivedOptions = this.isNot === true ? { times: 0 } : {},
  ): Promise<MatcherResult> {
    const { journal } = toVerifiable(received);
    const matcher = typeof given === "string" ? { operation: given } : given;
    const { ok, message } = await journal.verify({ ...matcher, ...how });
    const isNone = this.isNot === true && how.times === 0;
    return { pass: isNone ? !ok : ok, message: () => message };
  },
};

function toVerifiable(value: unknown): Verifiable {
  const { journal } = Object(value) as Partial<Verifiable>; // Safe cast: the next line checks the type.
  if (typeof journal?.verify === "function") return { journal };
  const message = "toHaveReceived needs a sandbox or a world: expect(sandbox).toHaveReceived(…).";
  throw new UsageError("badOption", message);
}
