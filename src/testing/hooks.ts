/** A sandbox for runners with hooks instead of fixtures (Jest, Mocha, node:test): a server per file, a world per test. */

import { createSandbox, type Sandbox, type SandboxOptions, UsageError } from "../index.ts";
import { resolveVariables, setVariables, type VariableNames } from "../runtimes/node/environment.ts";
import { finishTest, type Verify } from "./end-of-test.ts";
import { matchers, type SandboxMatchers } from "./matchers.ts";

export type { SandboxMatchers } from "./matchers.ts";

declare global {
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: as `@types/jest` declares it
    interface Matchers<R, T = {}> extends SandboxMatchers {}
  }
}

type Hook = (run: () => Promise<void>) => unknown;

/** The hooks of a runner, by the names that Jest or Mocha give them; `node:test` has them too. */
export type Hooks = {
  readonly beforeEach: Hook;
  readonly afterEach: Hook;
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
  const { before, after, beforeEach, afterEach } = normalizeHooks(hooks ?? globalHooks());
  globals.expect?.extend?.(matchers);
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
  afterEach(async () => {
    const ended = present; // undefined where a hook before it failed
    present = undefined;
    try {
      if (ended !== undefined) await finishTest(ended.world, { ...HOOK_RESULT, verify });
    } finally {
      ended?.restore();
      await ended?.world.close();
    }
  });
  after(async () => server?.close());
  return createProxy(() => present?.world);
}

/** A hook does not learn what became of its test: only what the sandbox has seen can fail it. */
const HOOK_RESULT = { passed: true, fails: false, isLast: true, tell: () => {}, keep: async () => {} };

/** Of a runner that puts its hooks there; Jest puts `expect` there as well. */
const globals: Partial<Record<string, Hook>> & {
  readonly expect?: { readonly extend?: (own: typeof matchers) => void };
} = globalThis as object;

function globalHooks(): Hooks {
  const found = globals;
  if (found["beforeEach"] !== undefined) return found as Hooks; // and the others with it
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
