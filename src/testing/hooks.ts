/** Sandboxes for test runners with hooks (Jest, Mocha, node:test): one server for each file, one world for each test. */

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
    // biome-ignore lint/complexity/noBannedTypes: must be identical to the declaration in `@types/jest`
    interface Matchers<R, T = {}> extends SandboxMatchers {}
  }
}

// Adds the matchers to the type of `expect` in `@jest/globals`. Only projects with Jest have the package "expect".
// biome-ignore lint/suspicious/noTsIgnore: the error only occurs in projects without Jest
/** @ts-ignore */
declare module "expect" {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends SandboxMatchers {}
}

type Hook = (run: () => Promise<void>) => unknown;

/** Hooks of a test runner, with the names of Jest (`beforeAll`) or Mocha (`before`). */
export type Hooks = {
  readonly beforeEach: Hook;
  readonly afterEach: Hook;
  /** Jest's `expect`, which gets the matcher `toHaveReceived`. Default: the global `expect`. */
  readonly expect?: { extend?(own: typeof matchers): void };
} & ({ readonly beforeAll: Hook; readonly afterAll: Hook } | { readonly before: Hook; readonly after: Hook });

export type HookOptions = SandboxOptions & {
  /** Environment variables that contain URLs of the test's world while a test runs: `{ MUSEUM_URL: "museum" }`. */
  readonly env?: VariableNames | undefined;
  /** Whether failures of `verify()` fail the test. `strict`: warnings also fail it instead of being printed. Default: true. */
  readonly verify?: Verify | undefined;
  /** Hooks of the runner. Default: the global hooks. For node:test, pass its `test`. */
  readonly hooks?: Hooks | undefined;
};

/**
 * Returns a proxy for the world of the running test. Call it at the top of a file or `describe`. Its tests must not run in
 * parallel. Also accepts the options of `createSandbox`. The proxy throws a UsageError if you use it outside of a test.
 */
export function useSandbox({ env = {}, verify = true, hooks, ...options }: HookOptions = {}): Sandbox {
  const given = hooks ?? globalHooks();
  const { before, after, beforeEach, afterEach } = normalizeHooks(given);
  (given.expect ?? globals.expect)?.extend?.(matchers);
  let server: Sandbox | undefined;
  let current: { readonly world: Sandbox; readonly restore: () => void } | undefined;
  before(async () => {
    server = await createSandbox({ strictWorlds: true, ...options });
    await server.listen({ port: 0 });
    resolveVariables(env, server.urls); // Throws for an unknown URL name before the first test.
  });
  beforeEach(async () => {
    const world = server?.fork();
    if (world !== undefined) current = { world, restore: setVariables(resolveVariables(env, world.urls)) };
  });
  afterEach(async function (this: HookContext | undefined) {
    const ended = current; // Undefined if an earlier hook failed.
    current = undefined;
    try {
      if (ended !== undefined)
        await finishTest(ended.world, { ...HOOK_RESULT, ...readOutcome(this), verify });
    } finally {
      ended?.restore();
      await ended?.world.close();
    }
  });
  after(async () => server?.close());
  return createProxy(() => current?.world);
}

/** Fixed values, because test runners do not report retries and expected failures to hooks. */
const HOOK_RESULT = { fails: false, isLast: true, storeCapsule: async () => {} };

/** Value of `this` in an `afterEach` hook. */
type HookContext = {
  /** The current test. Only Mocha sets it. */
  readonly currentTest?: { readonly state?: string; err?: unknown };
  /** Result of the current test. Only node:test sets it. */
  readonly passed?: boolean;
  readonly error?: { cause?: unknown } | null;
};

/** Returns whether the test passed, and a function that adds text to its error. In unknown runners, `passed` is true. */
function readOutcome({
  currentTest,
  passed,
  error,
}: HookContext = {}): Pick<TestResult, "passed" | "appendText"> {
  if (currentTest !== undefined) {
    const { state } = currentTest; // Undefined if Mocha retries the test.
    return {
      passed: state === "passed" || (state === "failed" ? false : undefined),
      appendText: extend(currentTest, "err"),
    };
  }
  if (passed !== undefined) return { passed, appendText: extend(error ?? {}, "cause", toError) };
  const errors = getJestErrors();
  const last = errors.length - 1;
  const pair = errors[last]; // Usually a pair: the error, and a second error with the line number of the test.
  return { passed: last < 0, appendText: Array.isArray(pair) ? extend(pair, 0) : extend(errors, last) };
}

/** Returns a function that adds text to the error or string in `holder[key]`. For other values, it prints the text. */
function extend(holder: object, key: PropertyKey, toFailure?: typeof toError): TestResult["appendText"] {
  return (text) => {
    const failure: unknown = Reflect.get(holder, key);
    const whole = `${failure}\n\n${text}\n`;
    if (typeof failure === "string") Reflect.set(holder, key, toFailure?.(whole) ?? whole);
    else if (typeof failure === "object" && failure !== null) appendMessage(failure, text);
    else printLine(text);
  };
}

/** Converts a string to an error, because reporters of node:test escape line breaks in strings. */
function toError(message: string): Error {
  return Object.assign(new Error(message), { stack: message });
}

/** Returns the errors of the running test from the global state of jest-circus, because Jest has no API for them. */
function getJestErrors(): unknown[] {
  const symbols = Object.getOwnPropertySymbols(globalThis);
  const key = symbols.find(({ description }) => description === "JEST_STATE_SYMBOL");
  const state: { currentlyRunningTest?: { errors?: unknown[] } | null } | undefined =
    key && Reflect.get(globalThis, key);
  return state?.currentlyRunningTest?.errors ?? [];
}

/** Global hooks of the runner, and `expect` of Jest. */
const globals: Partial<Hooks> = globalThis as object;

function globalHooks(): Hooks {
  if (globals.beforeEach !== undefined) return globals as Hooks; // Safe cast: a runner with one global hook has all of them.
  const message =
    "useSandbox finds no global hooks. Pass those of the runner, for node:test { hooks: test }.";
  throw new UsageError("badOption", message);
}

function normalizeHooks(hooks: Hooks) {
  const { beforeEach, afterEach } = hooks;
  return "beforeAll" in hooks
    ? { before: hooks.beforeAll, after: hooks.afterAll, beforeEach, afterEach }
    : { before: hooks.before, after: hooks.after, beforeEach, afterEach };
}

/** Creates a proxy that forwards all properties to the current sandbox. */
function createProxy(getCurrent: () => Sandbox | undefined): Sandbox {
  const get = (_target: object, name: string | symbol): unknown => {
    const sandbox = getCurrent();
    if (sandbox === undefined)
      throw new UsageError("badOption", `Cannot use ${String(name)} outside of a test: no sandbox exists.`);
    const member: unknown = Reflect.get(sandbox, name, sandbox);
    return typeof member === "function" ? member.bind(sandbox) : member;
  };
  return new Proxy({}, { get }) as Sandbox; // Safe cast: `get` forwards all properties to a Sandbox.
}
