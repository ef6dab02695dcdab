// What must come to the same: time that passes at once or in parts, a journal that is played again after a reset,
// independent requests in another order.

import { expect, test } from "vitest";
import { type RecordedExchange, toComparable } from "../../src/journal/recorded-exchange.ts";
import { Chance } from "./chance.ts";
import { BASES, type EnvironmentKey } from "./operations.ts";
import { type Plan, planOf } from "./plan.ts";
import { playOn } from "./simulation.ts";
import type { Ask, Step } from "./steps.ts";
import type { LiveSandbox } from "./world.ts";

const SEEDS = [11, 12];
const STEPS = 50;

/** A plan of that seed with only some of its steps. */
function only(seed: number, isWanted: (step: Step) => boolean): Plan {
  const { steps } = planOf(seed, STEPS);
  return { seed, stored: false, steps: steps.filter(isWanted) };
}

test.each(SEEDS)("seed %i: time that passes in parts has the same effect as at once", async (seed) => {
  await using main = await playOn(only(seed, () => true));
  const chance = new Chance(seed);
  const parts = Array.from({ length: 1 + chance.below(4) }, () => chance.below(20_000));
  const sum = parts.reduce((total, part) => total + part, 0);
  const atOnce = await passing(main.fork("at-once"), [sum]);
  expect(await passing(main.fork("in-parts"), parts)).toEqual(atOnce);
  expect(atOnce.answers).toHaveLength(5);
});

/** What a world tells after this time, if requests wait in it that are due one after another. */
async function passing(world: LiveSandbox, parts: readonly number[]) {
  world.rules.clear();
  const delays = ["1s", "10s", "10s", "30s", "60s"] as const;
  const create = { method: "POST", headers: world.auth.basic(), body: "{}" };
  const answers = delays.map((delay, index) => {
    const path = `/delayed/${index}`;
    const then = { delay, clock: "virtual", respond: { status: 202 }, undocumented: true } as const;
    world.use({ at: "edge", when: { method: "POST", path }, then });
    return world.fetch(BASES.museum + path, create).then(({ status }) => status);
  });
  await world.gates.arrived("clock", delays.length);
  for (const part of parts) await world.clock.advance(`${part}ms`);
  await new Promise((resolve) => setImmediate(resolve));
  const waiting = world.gates.waiting();
  const { digest } = world.state();
  world.gates.release("clock");
  return { digest, waiting, answers: await Promise.all(answers) };
}

test.each(SEEDS)("seed %i: a journal played again after a reset leaves the same state", async (seed) => {
  const moves = ["ask", "together", "advance", "set", "boundary"];
  // The journal tells neither passwords nor what was wrong with a token.
  const isPlain = (step: Step) => !/"changePassword"|"defect"/.test(JSON.stringify(step));
  const isWanted = (step: Step) => step.world === 0 && moves.includes(step.do) && isPlain(step);
  await using sandbox = await playOn(only(seed, isWanted));
  const journal = sandbox.journal.list();
  const passwords = passwordsOf(sandbox);
  const now = sandbox.clock.now();
  const before = stateOf(sandbox);
  expect(journal.filter(({ changes }) => changes.length > 0).length).toBeGreaterThan(5);
  sandbox.reset();
  expect(stateOf(sandbox)).not.toEqual(before);
  for (const exchange of journal) {
    sandbox.clock.freeze(exchange.at);
    const reply = await again(sandbox, exchange, passwords);
    expect(reply.status, `exchange ${exchange.seq}`).toBe(exchange.status);
  }
  sandbox.clock.freeze(new Date(now));
  expect(stateOf(sandbox)).toEqual(before);
});

function stateOf(sandbox: LiveSandbox) {
  const { museum, account, accountSandbox } = sandbox.data;
  const collections = { ...museum, account: account.preSaleActions, sandbox: accountSandbox.preSaleActions };
  const data = Object.entries(collections).map(([name, collection]) => [name, collection.all()]);
  return { data, digest: sandbox.state().digest };
}

function passwordsOf({ data }: LiveSandbox): ReadonlyMap<string, string> {
  const identities = [data.account, data.accountSandbox].flatMap((account) => account.identities.all());
  return new Map(identities.map(({ name, password }) => [name, password]));
}

/** The journal knows no secrets: a caller that was recognised shows credentials that are as good, any other bad ones. */
async function again(
  sandbox: LiveSandbox,
  { environment, base, path, search, method, headers, user, operation, requestText }: RecordedExchange,
  passwords: ReadonlyMap<string, string>,
): Promise<Response> {
  const { authorization: _redacted, ...others } = headers;
  const isLogin = operation === "account.login";
  const good = isLogin || user === undefined ? {} : credentials(sandbox, environment as EnvironmentKey, user);
  const login = JSON.stringify({ email: user, password: passwords.get(user ?? "") });
  const text = isLogin && user !== undefined ? login : requestText;
  const init = { method, headers: { ...others, ...bad(headers, user), ...good } };
  return sandbox.fetch(base + path + search, text === undefined ? init : { ...init, body: text });
}

function credentials({ auth }: LiveSandbox, environment: EnvironmentKey, user: string) {
  if (environment === "museum") return auth.basic(user);
  return { authorization: `Bearer ${auth.token({ environment, user })}` };
}

function bad({ authorization }: Readonly<Record<string, string>>, user: string | undefined) {
  return authorization === undefined || user !== undefined ? {} : { authorization: "Basic %" };
}

test.each(SEEDS)("seed %i: requests to different services can come in any order", async (seed) => {
  // What is gone, and who has which token, is known across the services.
  const isIndependent = (ask: Ask) => !/"gone"|"token"/.test(JSON.stringify(ask));
  const plan = only(seed, (step) => step.do === "ask" && isIndependent(step.ask));
  const of = (key: EnvironmentKey) =>
    plan.steps.filter((step) => step.do === "ask" && step.ask.environment === key);
  const sorted = { ...plan, steps: [...of("accountSandbox"), ...of("museum"), ...of("account")] };
  expect(sorted.steps).not.toEqual(plan.steps);
  await using one = await playOn(plan);
  await using other = await playOn(sorted);
  expect(other.state().digest).toBe(one.state().digest);
  for (const environment of ["museum", "account", "accountSandbox"])
    expect(answersOf(other, environment)).toEqual(answersOf(one, environment));
});

function answersOf({ journal }: LiveSandbox, environment: string): readonly object[] {
  return journal.list({ environment }).map((exchange) => ({ ...toComparable(exchange), seq: 0 }));
}
