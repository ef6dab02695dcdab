/** A sandbox for runners with hooks instead of fixtures (Jest, Mocha, node:test): a server per file, a world per test. */

import { createSandbox, type Sandbox, type SandboxOptions, UsageError } from "../index.ts";
import {
  printLine,
  resolveVariables,
  setVariables,
  type VariableNames,
} from "../runtimes/node/environment.ts";
import { appendMessage, finishTest, type TestResult, type Verify } from "./end-of-test.ts";
import { matchers, type SandboxMatchers } from "./matchers.ts";

export type { SandboxMatchers } from "./matchers.ts";

declare global {
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: as `@types/jest` declares it
    interface Matchers<R, T = {}> extends SandboxMatchers {}
  }
}

// Only a project with Jest has this package. It types the `expect` of `@jest/globals`.
// biome-ignore lint/suspicious/noTsIgnore: no error is expected beside Jest
/** @ts-ignore */
declare module "expect" {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends SandboxMatchers {}
}

type Hook = (run: () => Promise<void>) => unknown;

/** The hooks of a runner, by the names that Jest or Mocha give them; `node:test` has them too. */
export type Hooks = {
  readonly beforeEach: Hook;
  readonly afterEach: Hook;
  /** Jest's `expect`, which gets `toHaveReceived`. Default: the global `expect`. */
  readonly expect?: { extend?(own: typeof matchers): void };
} & ({ readonly beforeAll: Hook; readonly afterAll: Hook } | { readonly before: Hook; readonly after: Hook });

export type HookOptions = SandboxOptions & {
  /** Variables of `process.env` that have URLs of the test's world while it runs: `{ MUSEUM_URL: "museum" }`. */
  readonly env?: VariableNames | undefined;
  /** A test fails when `sandbox.verify()` does, and its warnings are printed; `strict`: with warnings too. Default true. */
  readonly verify?: Verify | undefined;
  /** Default: the global ones. With node:test, its `test`. */
  readonly hooks?: Hooks | undefined;
};

/**
 * The sandbox of whichever test runs: at the top of a file or a `describe`, for its tests, one after the other. The other
 * options are those of `createSandbox`. Outside a test it throws a UsageError.
 */
export function useSandbox({ env = {}, verify = true, hooks, ...options }: HookOptions = {}): Sandbox {
  const given = hooks ?? globalHooks();
  const { before, after, beforeEach, afterEach } = normalizeHooks(given);
  (given.expect ?? globals.expect)?.extend?.(matchers);
  let server: Sandbox | undefined;
  let present: { readonly world: Sandbox; readonly restore: () => void } | undefined;
  before(async () => {
    // Strict: a client that was not given its world is refused, rather than served what other tests see too.
    server = await createSandbox({ strictWorlds: true, ...options });
    await server.listen({ port: 0 });
    resolveVariables(env, server.urls); // a wrong name is refused once, before all tests
  });
  beforeEach(async () => {
    const world = server?.fork();
    if (world !== undefined) present = { world, restore: setVariables(resolveVariables(env, world.urls)) };
  });
  afterEach(async function (this: HookContext | undefined) {
    const ended = present; // undefined where a hook before it failed
    present = undefined;
    try {
      if (ended !== undefined)
        await finishTest(ended.world, { ...HOOK_RESULT, ...readOutcome(this), verify });
    } finally {
      ended?.restore();
      await ended?.world.close();
    }
  });
  after(async () => server?.close());
  return createProxy(() => present?.world);
}

/** Hooks of these runners see only one attempt, and no expected failures. */
const HOOK_RESULT = { fails: false, isLast: true, keep: async () => {} };

/** The `this` of a hook. */
type HookContext = {
  /** The test in Mocha. */
  readonly currentTest?: { readonly state?: string; err?: unknown };
  /** Result of the test in node:test. */
  readonly passed?: boolean;
  readonly error?: { cause?: unknown } | null;
};

/** Whether the test passed, and how to extend its error. A test of another runner counts as passed. */
function readOutcome({ currentTest, passed, error }: HookContext = {}): Pick<TestResult, "passed" | "tell"> {
  if (currentTest !== undefined) {
    const { state } = currentTest; // Undefined: Mocha tries the test again.
    return {
      passed: state === "passed" || (state === "failed" ? false : undefined),
      tell: extend(currentTest, "err"),
    };
  }
  if (passed !== undefined) return { passed, tell: extend(error ?? {}, "cause", toError) };
  const errors = getJestErrors();
  const last = errors.length - 1;
  const pair = errors[last]; // Usually a pair: the error, and another one that names the line of the test.
  return { passed: last < 0, tell: Array.isArray(pair) ? extend(pair, 0) : extend(errors, last) };
}

/** Adds a text to the error that the runner stored there, or prints the text if the test threw another value. */
function extend(holder: object, key: PropertyKey, toFailure?: typeof toError): TestResult["tell"] {
  return (text) => {
    const failure: unknown = Reflect.get(holder, key);
    const whole = `${failure}\n\n${text}\n`;
    if (typeof failure === "string") Reflect.set(holder, key, toFailure?.(whole) ?? whole);
    else if (typeof failure === "object" && failure !== null) appendMessage(failure, text);
    else printLine(text);
  };
}

/** The reporters of node:test escape the line breaks of a string. */
function toError(message: string): Error {
  return Object.assign(new Error(message), { stack: message });
}

/** Errors of the running test. Jest has no API for this: the state of jest-circus is in a global under this symbol. */
function getJestErrors(): unknown[] {
  const symbols = Object.getOwnPropertySymbols(globalThis);
  const key = symbols.find(({ description }) => description === "JEST_STATE_SYMBOL");
  const state: { currentlyRunningTest?: { errors?: unknown[] } | null } | undefined =
    key && Reflect.get(globalThis, key);
  return state?.currentlyRunningTest?.errors ?? [];
}

/** Of a runner that puts its hooks there; Jest puts `expect` there as well. */
const globals: Partial<Hooks> = globalThis as object;

function globalHooks(): Hooks {
  const found = globals;
  if (found.beforeEach !== undefined) return found as Hooks; // and the others with it
  const message =
    "useSandbox finds no hooks: give it those of the runner, such as { hooks: test } of node:test's test.";
  throw new UsageError("badOption", message);
}

function normalizeHooks(hooks: Hooks) {
  const { beforeEach, afterEach } = hooks;
  return "beforeAll" in hooks
    ? { before: hooks.beforeAll, after: hooks.afterAll, beforeEach, afterEach }
    : { before: hooks.before, after: hooks.after, beforeEach, afterEach };
}

/** Has all that the present sandbox has. */
function createProxy(present: () => Sandbox | undefined): Sandbox {
  const get = (_target: object, name: string | symbol): unknown => {
    const sandbox = present();
    if (sandbox === undefined)
      throw new UsageError("badOption", `${String(name)}: there is no sandbox outside a test.`);
    const member: unknown = Reflect.get(sandbox, name, sandbox);
    return typeof member === "function" ? member.bind(sandbox) : member;
  };
  return new Proxy({}, { get }) as Sandbox; // by `get`
}
