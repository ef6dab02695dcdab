// What must hold after every step, in every world: the data is the model's, to the last entity; rules have counted what they
// saw; the journal has what was sent; no count is negative, no id is there twice.

import { Broken, canonical, differs, expectRight } from "./broken.ts";
import { cents } from "./model/billing.ts";
import type { Account } from "./model/moment.ts";
import { totals } from "./model/rules.ts";
import { type AccountKey, fullName } from "./operations.ts";
import { idOf, type World } from "./world.ts";

type Entity = Readonly<Record<string, unknown>>;

export function checkWorld(world: World): void {
  const { sandbox, moment, name } = world;
  const { data } = sandbox;
  expectRight(differs(`${name}: the clock`, sandbox.clock.now(), moment.now));
  same(`${name}: the events`, data.museum.specialEvents.all(), moment.events);
  same(`${name}: the tickets`, data.museum.tickets.all(), moment.tickets);
  for (const key of ["account", "accountSandbox"] as const) checkAccount(world, key, moment[key]);
  checkRules(world);
  const mails = sandbox.mailbox.messages().map(({ text: _text, html: _html, ...mail }) => mail);
  expectRight(differs(`${name}: the mails`, mails, moment.mails));
  const ended = world.log.length - world.pending.length;
  expectRight(
    differs(`${name}: the length of the journal`, sandbox.journal.count({ state: "ended" }), ended),
  );
}

function checkAccount({ sandbox, name }: World, key: AccountKey, expected: Account): void {
  const { identities, users, consumptions, preSales, preSaleActions } = sandbox.data[key];
  same(`${name}: the identities of ${key}`, identities.all(), expected.identities);
  same(`${name}: the users of ${key}`, users.all(), expected.users);
  same(`${name}: the consumptions of ${key}`, consumptions.all(), expected.consumptions);
  same(`${name}: the presales of ${key}`, preSales.all(), expected.preSales);
  same(`${name}: the actions of ${key}`, preSaleActions.all(), expected.preSaleActions);
}

/** A list of the sandbox's, and the list of the model's with which it was found to agree. Neither changes in place. */
const agreed = new WeakMap<object, object>();

/** The same entities in the same order. */
function same(what: string, actual: readonly Entity[], expected: readonly Entity[]): void {
  if (agreed.get(actual) === expected) return;
  expectSound(what, actual);
  agreed.set(actual, expected);
  if (
    actual.length === expected.length &&
    actual.every((one, index) => canonical(one) === canonical(expected[index]))
  )
    return;
  const missing = expected.filter((one) => !actual.some((other) => idOf(other) === idOf(one))).map(idOf);
  const surplus = actual.filter((one) => !expected.some((other) => idOf(other) === idOf(one))).map(idOf);
  if (missing.length > 0) throw new Broken(`${what} lack ${missing.join()}`);
  if (surplus.length > 0) throw new Broken(`${what} have ${surplus.join()}, which should not be there`);
  const index = actual.findIndex((one, at) => canonical(one) !== canonical(expected[at]));
  expectRight(differs(`${what}: one`, actual[index], expected[index]));
}

function expectSound(what: string, entities: readonly Entity[]): void {
  if (new Set(entities.map(idOf)).size !== entities.length) throw new Broken(`${what} have an id twice`);
  for (const entity of entities) {
    const { invoices_sent: sent = 0, invoices_received: received = 0, threshold = 0 } = entity;
    const { current_credit_available: credit = "0", total = "0" } = entity;
    const all = [sent, received, threshold, cents(String(credit)), cents(String(total))].map(Number);
    if (!all.every((count) => count >= 0))
      throw new Broken(`${what} have a negative count: ${canonical(entity)}`);
  }
}

function checkRules({ sandbox, moment, name }: World): void {
  const expected = [...moment.added, ...moment.scenario].map((rule) => ({ id: rule.id, ...totals(rule) }));
  const actual = sandbox.rules.list().map(({ id, matched, acted }) => ({ id, matched, acted }));
  expectRight(differs(`${name}: the rules`, actual, expected));
  for (const { rule, id, acted } of sandbox.rules.list()) {
    const { times = Number.POSITIVE_INFINITY, per } = rule.limit ?? {};
    if (per !== "user" && acted > times) throw new Broken(`${name}: ${id} acted ${acted} times`);
  }
}

/** Every request in order of arrival, with the operation, status and problem that the client was answered. */
export function checkJournal({ sandbox, log, pending, name }: World): void {
  const waiting = new Set(pending.map(({ entry }) => entry));
  const exchanges = sandbox.journal.list({ state: "ended" });
  const expected = log.filter((entry) => !waiting.has(entry));
  expectRight(differs(`${name}: the length of the journal`, exchanges.length, expected.length));
  for (const [index, exchange] of exchanges.entries()) {
    const entry = expected[index];
    if (entry?.expected === undefined) continue;
    const { status, problem, fault, ruled = false } = entry.expected;
    const { operation, status: seen, problem: found, fault: broken } = exchange;
    const place = `${name}: exchange ${exchange.seq}`;
    expectRight(differs(`${place}: the operation`, operation, fullName(entry.asked.operation)));
    expectRight(differs(`${place}: the fault`, broken, fault));
    if (fault === undefined) expectRight(differs(`${place}: the status`, seen, status));
    if (!ruled) expectRight(differs(`${place}: the problem`, found, problem));
  }
}
