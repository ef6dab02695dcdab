// Plays what is done to the sandbox beside its requests: time, data, rules, scenarios, snapshots, worlds, restarts.

import { UsageError } from "../../src/errors/usage-error.ts";
import { wrongBalance } from "./balance.ts";
import { Broken, expectRight } from "./broken.ts";
import { at } from "./chance.ts";
import type { Exchanges } from "./exchange.ts";
import { bill } from "./model/billing.ts";
import type { Learn } from "./model/life.ts";
import { dues } from "./model/login.ts";
import { type Moment, nextOf, type SpecialEvent } from "./model/moment.ts";
import { toMs } from "./model/rules.ts";
import { staged } from "./model/stage.ts";
import { type Clients, send } from "./requests.ts";
import type { Step } from "./steps.ts";
import type { Storage } from "./storage.ts";
import { type LiveSandbox, type World, worldOf } from "./world.ts";

const MOST_WORLDS = 4;
const DAY_MS = 86_400_000;

type Parts = {
  /** The main one first. */
  readonly worlds: World[];
  readonly storage: Storage;
  readonly exchanges: Exchanges;
  readonly clients: Clients;
  readonly learnFrom: (world: World) => Learn;
  /** Looks at a world for the last time. */
  readonly leave: (world: World) => void;
};
type Of<D extends Step["do"]> = Extract<Step, { readonly do: D }>;

export class Controls {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async apply(step: Step, world: World): Promise<void> {
    const { sandbox } = world;
    switch (step.do) {
      case "advance":
        await sandbox.clock.advance(step.by);
        world.moment = { ...world.moment, now: world.moment.now + toMs(step.by) };
        return;
      case "set":
        return moveTo(world, world.moment.now + step.by);
      case "boundary":
        return toBoundary(step, world);
      case "reset":
        return this.#reset(world);
      case "snapshot":
        sandbox.snapshot(step.name);
        world.snapshots.delete(step.name);
        world.snapshots.set(step.name, world.moment);
        return;
      case "restore":
        return this.#restore(step, world);
      case "fork":
        return this.#fork(step, world);
      case "end":
        return this.#end(world);
      case "use": {
        sandbox.use(step.rule);
        const rule = { ...step.rule, since: world.moment.now, counts: {} };
        world.moment = { ...world.moment, added: [rule, ...world.moment.added] };
        return;
      }
      case "remove":
        return remove(step, world);
      case "release":
        return this.#parts.exchanges.release(world, step.gate);
      case "scenario":
        await sandbox.scenario(step.scenario);
        world.moment = staged(world.moment, step.scenario);
        return;
      case "usage":
        return this.#usage(step, world);
      case "write":
        return write(step, world);
      case "restart":
        return this.#restart();
      case "crash":
        return this.#crash(step);
      default:
        throw new Error(`${step.do} is played elsewhere`);
    }
  }

  async #reset(world: World): Promise<void> {
    this.#parts.leave(world);
    world.sandbox.reset();
    world.moment = world.initial;
    await this.#parts.exchanges.cancel(world);
    world.log = [];
  }

  async #restore({ pick }: Of<"restore">, world: World): Promise<void> {
    const name = at([...world.snapshots.keys()], pick);
    if (name === undefined) return expectRefusal("unknownName", () => world.sandbox.restore("none"));
    world.sandbox.restore(name);
    world.moment = world.snapshots.get(name) ?? world.moment;
    await this.#parts.exchanges.cancel(world);
  }

  async #fork({ name }: Of<"fork">, world: World): Promise<void> {
    const { worlds } = this.#parts;
    if (worlds.some((one) => one.name === name)) expectRefusal("worldExists", () => world.sandbox.fork(name));
    else if (worlds.length < MOST_WORLDS) worlds.push(worldOf(name, world.sandbox.fork(name), world.moment));
  }

  async #end(world: World): Promise<void> {
    const { worlds, leave, exchanges } = this.#parts;
    if (world.name === "main") return expectRefusal("badOption", () => world.sandbox.worlds.remove("main"));
    leave(world);
    await world.sandbox.close();
    await exchanges.cancel(world);
    worlds.splice(worlds.indexOf(world), 1);
    const gone = await worlds[0]?.sandbox.fetch(`/~${world.name}/museum/v1.1/museum-hours`);
    if (gone?.status !== 404)
      throw new Broken(`the world ${world.name} has ended and answers ${gone?.status}`);
  }

  #usage({ environment, user, sent, received }: Of<"usage">, world: World): void {
    const { identities, consumptions } = world.moment[environment];
    const identity = at(identities, user);
    if (identity === undefined) return;
    const balance = wrongBalance(world.sandbox, environment, sent + received);
    const usage = { environment, user: identity.name, sent, received };
    const receipt = world.sandbox.usage.record(usage);
    const learn = this.#parts.learnFrom(world);
    const nth = nextOf(world.moment, `${environment}/consumptions`);
    world.moment = bill(world.moment, environment, { sent, received, uid: identity.uid }, () =>
      String(
        learn(
          `${environment}.consumptions`,
          consumptions.map(({ uuid }) => uuid),
          nth,
        )["uuid"],
      ),
    );
    expectRight(balance(receipt));
  }

  /** Everything but the journals is there again, in every world. */
  async #restart(): Promise<void> {
    const { storage } = this.#parts;
    if (storage.isStored) this.#goOn(await storage.reopen(() => this.#endAll()));
  }

  /** Requests that nobody was answered are gone with the process; everything that was answered is there. */
  async #crash({ unanswered }: Of<"crash">): Promise<void> {
    const { storage, clients } = this.#parts;
    if (!storage.isStored) return;
    const { main } = storage;
    const asks = unanswered.map((ask) => clients.resolve(ask, main));
    const opened = await storage.crash(async () => {
      for (const asked of asks) void send(main, asked).catch(() => {}); // nobody is there any more to be answered
      await this.#endAll();
    });
    this.#goOn(opened);
  }

  /** Closes the sandbox with all its worlds. */
  async #endAll(): Promise<void> {
    const { worlds, leave, exchanges, storage } = this.#parts;
    const moments = worlds.map((world) => world.moment);
    for (const world of worlds) if (world !== storage.main) leave(world);
    await storage.main.sandbox.close();
    for (const [index, world] of worlds.entries()) {
      await exchanges.cancel(world);
      world.moment = moments[index] ?? world.moment;
      world.log = [];
    }
  }

  #goOn(opened: LiveSandbox): void {
    const { worlds } = this.#parts;
    const found = opened.worlds.list().map(({ id }) => id);
    const names = worlds.map(({ name }) => name);
    if (names.toSorted().join() !== found.toSorted().join())
      throw new Broken(`after the restart there are the worlds ${found}, not ${names}`);
    for (const world of worlds) world.sandbox = opened.worlds.get(world.name);
  }
}

function moveTo(world: World, instant: number): void {
  const { sandbox, moment } = world;
  sandbox.clock.freeze(new Date(instant));
  world.moment = { ...moment, now: instant };
}

/** To where something begins or ends to hold, or beside it: forward as time passes, back as a clock is set. */
async function toBoundary({ of, pick, beside }: Of<"boundary">, world: World): Promise<void> {
  const { moment, sandbox } = world;
  const target = at(boundariesOf(moment)[of], pick);
  if (target === undefined || Math.abs(target - moment.now) > 400 * DAY_MS) return;
  const by = target + beside - moment.now;
  if (by < 0) return moveTo(world, target + beside);
  await sandbox.clock.advance(`${by}ms`);
  world.moment = { ...moment, now: target + beside };
}

function boundariesOf(moment: Moment): Readonly<Record<Of<"boundary">["of"], readonly number[]>> {
  const accounts = [moment.account, moment.accountSandbox];
  const logins = accounts.flatMap((account) => account.logins);
  const actions = accounts.flatMap(({ preSaleActions }) => preSaleActions);
  const preSales = accounts.flatMap((account) => account.preSales);
  return {
    token: logins.map(({ at: since }) => Math.floor(since / 1_000) * 1_000 + moment.settings.tokenMs),
    throttle: accounts.flatMap(dues),
    running: actions.map(({ running_until }) => running_until),
    preSale: preSales.map(({ valid_until }) => Date.parse(valid_until)),
    midnight: [(Math.floor(moment.now / DAY_MS) + 1) * DAY_MS],
  };
}

function remove({ pick }: Of<"remove">, world: World): void {
  const { moment, sandbox } = world;
  const rule = at([...moment.added, ...moment.scenario], pick);
  if (rule === undefined) expectRefusal("unknownName", () => sandbox.rules.remove("none"));
  else {
    sandbox.rules.remove(rule.id);
    const others = (rules: Moment["added"]) => rules.filter(({ id }) => id !== rule.id);
    world.moment = { ...moment, added: others(moment.added), scenario: others(moment.scenario) };
  }
}

function write({ verb, pick }: Of<"write">, world: World): void {
  const { specialEvents } = world.sandbox.data.museum;
  const chosen = at(world.moment.events, pick);
  if (verb === "remove" && chosen === undefined)
    expectRefusal("badData", () => specialEvents.remove(["none"]));
  else if (verb === "remove" && chosen !== undefined) {
    specialEvents.remove([chosen.eventId]);
    putEvents(world, (events) => events.filter((one) => one !== chosen));
  } else if (verb === "replace") {
    const half = (events: readonly SpecialEvent[]) => events.slice(0, Math.ceil(events.length / 2)).reverse();
    specialEvents.replace(half(world.moment.events));
    putEvents(world, half);
  } else {
    const dearer = chosen === undefined ? [] : [{ ...chosen, price: chosen.price + 1 }];
    const written = [...dearer, freshEvent(pick)];
    specialEvents.upsert(written);
    putEvents(world, (events) => written.reduce(withEvent, events));
  }
}

function putEvents(world: World, change: (events: readonly SpecialEvent[]) => readonly SpecialEvent[]): void {
  world.moment = { ...world.moment, events: change(world.moment.events) };
}

function withEvent(events: readonly SpecialEvent[], written: SpecialEvent): readonly SpecialEvent[] {
  const isIt = ({ eventId }: SpecialEvent) => eventId === written.eventId;
  return events.some(isIt) ? events.map((one) => (isIt(one) ? written : one)) : [...events, written];
}

function freshEvent(pick: number): SpecialEvent {
  const eventId = `e0e0e0e0-0000-4000-8000-${String(pick).padStart(12, "0")}`;
  const dates = ["2026-03-02"];
  return { eventId, name: "Fresh", location: "Hall", eventDescription: "New.", dates, price: 1 };
}

function expectRefusal(code: string, act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (error instanceof UsageError && error.code === code) return;
    throw error;
  }
  throw new Broken(`it should be refused as ${code}`);
}
