// Plays requests, one or several at once, and finds an order of their work in which the model answers as the sandbox did.

import { Broken, expectRight } from "./broken.ts";
import { type Received, wrongIn } from "./compare.ts";
import { type Asked, type Expected, type Next, open } from "./model/life.ts";
import { BASES } from "./operations.ts";
import { type Clients, send } from "./requests.ts";
import type { Known, Logged, World } from "./world.ts";

/** Turns of the event loop in which a request comes to its gate, or to an end where no file has to be written for it. */
const FEW_TURNS = 100;
/** After which a request is never answered. */
const PATIENCE_MS = 60_000;

/** One request under way: its answer, undefined while it waits at a gate. */
type Sent = {
  readonly asked: Asked;
  readonly at: number;
  readonly entry: Logged;
  answer: Received | undefined;
};
/** One whose work can come in any order with that of others. */
type Open = { readonly sent: Sent; readonly stands: Next };

export type Played = { readonly asked: Asked; readonly expected: Expected; readonly received: Received };

export class Exchanges {
  readonly #known: Known;
  readonly #clients: Clients;
  readonly #record: (played: Received) => void;

  /** `record` sees every answer, in the order in which requests were sent. */
  constructor(known: Known, clients: Clients, record: (received: Received) => void) {
    this.#known = known;
    this.#clients = clients;
    this.#record = record;
  }

  /** Sends requests at once; resolves with those that were answered. The others wait at gates. */
  async play(world: World, asks: readonly Asked[]): Promise<readonly Played[]> {
    const answers = asks.map((asked) => watch(send(world, asked)));
    await this.#settle(world, answers, world.pending.length);
    let { moment } = world;
    const learn = this.#known.learnFrom(world);
    const opened = asks.map((asked, index): Open => {
      const at = moment.now;
      const entry: Logged = { asked, expected: undefined };
      world.log.push(entry);
      const sent = { asked, at, entry, answer: answers[index]?.received };
      const stands = about(sent, () => open(moment, asked, this.#known.serviceOf(asked), learn));
      moment = stands.moment;
      return { sent, stands };
    });
    const played = this.#finish({ ...world, moment }, opened);
    world.moment = played.moment;
    this.#keepWaiting(world, played.open, answers, opened);
    return this.#accept(played.ended);
  }

  /** Goes on with those that were let through a gate. */
  async release(world: World, gate: string): Promise<void> {
    const passing = world.pending.filter(({ stands }) => isAt(stands, gate));
    const count = world.sandbox.gates.release(gate);
    if (count !== passing.length)
      throw new Broken(`${count} requests waited at ${gate}, not ${passing.length}`);
    const answers = passing.map(({ answer }) => watch(answer));
    await this.#settle(world, answers, world.pending.length - passing.length);
    const opened = passing.map(({ asked, at, entry, stands }, index): Open => {
      return { sent: { asked, at, entry, answer: answers[index]?.received }, stands };
    });
    world.pending = world.pending.filter((one) => !passing.includes(one));
    const played = this.#finish(world, opened, gate);
    world.moment = played.moment;
    this.#keepWaiting(world, played.open, answers, opened);
    this.#accept(played.ended);
  }

  /** Those that wait are answered that their world is gone. */
  async cancel(world: World): Promise<void> {
    const { pending } = world;
    world.pending = [];
    const answers = pending.map(({ answer }) => watch(answer));
    await this.#settle(world, answers);
    for (const [index, { asked, stands, entry }] of pending.entries()) {
      const next = stands.cancel(world.moment);
      world.moment = next.moment;
      const received = answers[index]?.received;
      if (received === undefined || !("expected" in next))
        throw new Broken("a request waits in a world that is gone");
      entry.expected = next.expected;
      expectRight(wrongIn(received, next.expected, asked, ""));
    }
  }

  /** Waits until every request is answered or stands at a gate. */
  async #settle({ sandbox }: World, answers: readonly Watched[], others = 0): Promise<void> {
    for (let turn = 0; ; turn += 1) {
      const open = answers.filter(({ received, error }) => received === undefined && error === undefined);
      if (open.length === 0 || (turn > 3 && open.length <= sandbox.gates.waiting().length - others)) break;
      if (turn < FEW_TURNS) await new Promise((resolve) => setImmediate(resolve));
      else await first(open.map(({ promise }) => promise));
    }
    const failed = answers.find(({ error }) => error !== undefined);
    if (failed !== undefined) throw failed.error;
  }

  /** The first order of what is left that explains the answers; the order of sending comes first. */
  #finish(world: World, opened: readonly Open[], released?: string) {
    const first = this.#inOrder(world, opened, released);
    const waiting = opened.filter(({ stands }) => "waits" in stands && goesOn(stands, released));
    if (first.wrong === undefined || waiting.length < 2) {
      expectRight(first.wrong);
      return first;
    }
    for (const order of orders(waiting)) {
      const others = opened.filter((one) => !waiting.includes(one));
      const found = this.#inOrder(world, [...others, ...order], released);
      if (found.wrong === undefined) return found;
    }
    throw new Broken(`no order of ${opened.length} requests at once explains that ${first.wrong}`);
  }

  /** What the model makes of the work in this order, and what is then wrong with the answers. */
  #inOrder(world: World, opened: readonly Open[], released?: string) {
    let { moment } = world;
    const ended: Played[] = [];
    const open: Open[] = [];
    const learn = this.#known.learnFrom(world);
    let wrong: string | undefined;
    const entries: [Logged, Expected][] = [];
    for (const { sent, stands } of opened) {
      let next: Next = stands;
      try {
        let gate = released;
        while ("waits" in next && goesOn(next, gate)) {
          const stood = next;
          next = about(sent, () => stood.resume(moment, learn));
          moment = next.moment;
          gate = undefined;
        }
      } catch (error) {
        if (!(error instanceof Broken)) throw error;
        return { moment, ended, open, wrong: error.message };
      }
      const found = this.#judge(sent, next, world);
      if (found !== undefined) wrong ??= `${describeAsked(sent.asked)}: ${found}`;
      if ("waits" in next) open.push({ sent, stands: next });
      else {
        entries.push([sent.entry, next.expected]);
        if (sent.answer !== undefined)
          ended.push({ asked: sent.asked, expected: next.expected, received: sent.answer });
      }
    }
    if (wrong === undefined) for (const [entry, expected] of entries) entry.expected = expected;
    return { moment, ended, open, wrong };
  }

  #judge({ asked, at, answer }: Sent, next: Next, world: World): string | undefined {
    if ("waits" in next)
      return answer === undefined ? undefined : `answered ${answer.status}, where it should wait`;
    if (answer === undefined) return "waits at a gate, where it should not";
    const prefix = world.name === "main" ? "" : `/~${world.name}`;
    const date = new Date(at).toUTCString();
    if (answer.failure === undefined && answer.headers["date"] !== date)
      return `the date is ${answer.headers["date"]}, not ${date}`;
    return wrongIn(answer, next.expected, asked, prefix + BASES[asked.environment]);
  }

  #keepWaiting(world: World, open: readonly Open[], answers: readonly Watched[], all: readonly Open[]): void {
    for (const { sent, stands } of open) {
      const index = all.findIndex((one) => one.sent === sent);
      const answer = answers[index]?.promise;
      if (answer === undefined || !("waits" in stands)) continue;
      const { asked, at, entry } = sent;
      world.pending.push({ asked, at, entry, answer, stands });
    }
  }

  #accept(ended: readonly Played[]): readonly Played[] {
    for (const { asked, received } of ended) {
      this.#clients.note(asked, received);
      this.#record(received);
    }
    return ended;
  }
}

/** Says of which request something was found, and how that was answered. */
function about<T>({ asked, answer }: Sent, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    const came = answer?.failure ?? answer?.status ?? "not yet";
    throw new Broken(`${describeAsked(asked)}, answered ${came}: ${error.message}`);
  }
}

type Watched = { readonly promise: Promise<Received>; received: Received | undefined; error: unknown };

function watch(promise: Promise<Received>): Watched {
  const watched: Watched = { promise, received: undefined, error: undefined };
  promise.then(
    (received) => {
      watched.received = received;
    },
    (error: unknown) => {
      watched.error = error;
    },
  );
  return watched;
}

/** Waits for the first of several answers. */
async function first(promises: readonly Promise<Received>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const never = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Broken("a request is never answered")), PATIENCE_MS);
  });
  try {
    await Promise.race([...promises, never]);
  } finally {
    clearTimeout(timer);
  }
}

/** Only what waits at the gate that was opened, or at none, goes on. */
function goesOn(
  { waits }: { readonly waits: "body" | "turn" | { readonly gate: string } },
  released?: string,
): boolean {
  return typeof waits === "string" || waits.gate === released;
}

function isAt(
  { waits }: { readonly waits: "body" | "turn" | { readonly gate: string } },
  gate: string,
): boolean {
  return typeof waits !== "string" && waits.gate === gate;
}

function* orders<T>(items: readonly T[]): Generator<readonly T[]> {
  if (items.length < 2) yield items;
  else
    for (const [index, item] of items.entries())
      for (const rest of orders(items.toSpliced(index, 1))) yield [item, ...rest];
}

function describeAsked({ environment, method, path, query, text }: Asked): string {
  const search = query.map(([name, value]) => `${name}=${value}`).join("&");
  return `${method} ${environment} ${path}${search === "" ? "" : `?${search}`}${text === undefined ? "" : ` ${text.slice(0, 200)}`}`;
}
