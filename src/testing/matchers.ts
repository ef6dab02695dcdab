/** Adds to `expect` of vitest, Jest and Playwright: `await expect(sandbox).toHaveReceived({ operation }, { times: 1 })`. */

import { type Expectation, type RemoteSandbox, type Sandbox, UsageError } from "../index.ts";

/** A matcher, or the name of an operation. */
type Wanted = NonNullable<Parameters<Sandbox["journal"]["count"]>[0]>;

/** How often, by default at least once; `within` waits for it. As in `journal.verify`. */
export type ReceivedOptions = Pick<Expectation, "times" | "within">;

export type SandboxMatchers = {
  /** The client of the sandbox, or of the world, has sent such a request. Awaited. */
  toHaveReceived(matcher: Wanted, how?: ReceivedOptions): Promise<void>;
};

type MatcherResult = { readonly pass: boolean; readonly message: () => string };
type Verifiable = Pick<Sandbox | RemoteSandbox, "journal">;

export const matchers = {
  /** With `not` and without `how`: no such request came. */
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
  const { journal } = Object(value) as Partial<Verifiable>; // whatever was expected
  if (typeof journal?.verify === "function") return { journal };
  const message = "toHaveReceived is about a sandbox or a world of it: expect(sandbox).toHaveReceived(…).";
  throw new UsageError("badOption", message);
}
