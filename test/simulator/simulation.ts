// Plays a plan: each step is done to the sandbox and to the model, and after each step both must agree.

import { createHash, type Hash } from "node:crypto";
import { toComparable } from "../../src/journal/recorded-exchange.ts";
import type { WallClock } from "../../src/world/clock.ts";
import { audit } from "./audit.ts";
import { Broken } from "./broken.ts";
import type { Received } from "./compare.ts";
import { Controls } from "./controls.ts";
import { Exchanges } from "./exchange.ts";
import { checkJournal, checkWorld } from "./invariants.ts";
import type { Plan } from "./plan.ts";
import { Clients } from "./requests.ts";
import type { Step } from "./steps.ts";
import { openStorage, type Storage } from "./storage.ts";
import { START, wallAt } from "./wall.ts";
import { Known, type LiveSandbox, type World } from "./world.ts";

export type Outcome = {
  /** Stands for every byte that was answered, every journal and the state at the end. */
  readonly digest: string;
  readonly requests: number;
  /** The step that went wrong, and how. */
  readonly failure: { readonly index: number; readonly message: string } | undefined;
};

/** Plays a plan from its beginning. Never rejects for what the sandbox does wrong: that is in the outcome. */
export async function play(plan: Plan, wall: WallClock = wallAt(START, 0)): Promise<Outcome> {
  const storage = await openStorage(plan, wall);
  const simulation = new Simulation(storage);
  let index = 0;
  try {
    for (; index < plan.steps.length; index += 1) await simulation.step(plan.steps[index] as Step); // below its length
    simulation.conclude();
    return { ...simulation.result(), failure: undefined };
  } catch (error) {
    const step = plan.steps[index];
    const place = step === undefined ? "at the end" : JSON.stringify(step);
    const what = error instanceof Broken ? error.message : ((error as Error).stack ?? String(error));
    return { ...simulation.result(), failure: { index, message: `${what}\n  in ${place}` } };
  } finally {
    await storage.close();
  }
}

/** Plays a plan that must not fail, and leaves the sandbox open. */
export async function playOn(plan: Plan): Promise<LiveSandbox> {
  const storage = await openStorage(plan, wallAt(START, 0));
  const simulation = new Simulation(storage);
  for (const step of plan.steps) await simulation.step(step);
  return storage.main.sandbox;
}

class Simulation {
  readonly #hash: Hash = createHash("sha256");
  readonly #worlds: World[];
  readonly #clients: Clients;
  readonly #exchanges: Exchanges;
  readonly #controls: Controls;
  #requests = 0;

  constructor(storage: Storage) {
    const known = new Known();
    this.#worlds = [storage.main];
    this.#clients = new Clients(known);
    this.#exchanges = new Exchanges(known, this.#clients, (received) => this.#note(received));
    this.#controls = new Controls({
      worlds: this.#worlds,
      storage,
      exchanges: this.#exchanges,
      clients: this.#clients,
      learnFrom: (world) => known.learnFrom(world),
      leave: (world) => this.#leave(world),
    });
  }

  async step(step: Step): Promise<void> {
    const world = this.#worlds[step.world % this.#worlds.length] as World; // the main one is always there
    switch (step.do) {
      case "ask":
        await this.#ask(world, step.ask);
        break;
      case "together": {
        const asks = step.asks.map((ask) => this.#clients.resolve(ask, world));
        await this.#exchanges.play(world, asks);
        break;
      }
      case "audit":
        await audit(world, step, this.#clients, this.#exchanges);
        break;
      default:
        await this.#controls.apply(step, world);
    }
    for (const one of this.#worlds) checkWorld(one);
  }

  /** A read is asked again: where no rule took part, the same bytes come back. */
  async #ask(world: World, ask: Extract<Step, { do: "ask" }>["ask"]): Promise<void> {
    const asked = this.#clients.resolve(ask, world);
    const [first] = await this.#exchanges.play(world, [asked]);
    if (asked.method !== "GET" || first === undefined || first.expected.ruled === true) return;
    const [second] = await this.#exchanges.play(world, [asked]);
    if (second === undefined || second.expected.ruled === true) return;
    const bytes = ({ status, headers, text }: Received) => JSON.stringify([status, headers, text]);
    if (bytes(first.received) !== bytes(second.received))
      throw new Broken(
        `the same GET gives other bytes: ${bytes(first.received)} and ${bytes(second.received)}`,
      );
  }

  conclude(): void {
    for (const world of this.#worlds) this.#leave(world);
  }

  /** Stands for the whole course; asked for once. */
  result(): Pick<Outcome, "digest" | "requests"> {
    return { digest: this.#hash.digest("hex"), requests: this.#requests };
  }

  #note({ status, headers, text, failure }: Received): void {
    this.#requests += 1;
    this.#hash.update(JSON.stringify([status, Object.entries(headers).sort(), text, failure]));
  }

  /** What a world leaves: its journal and its state. */
  #leave(world: World): void {
    checkJournal(world);
    const journal = world.sandbox.journal.list().map(toComparable);
    this.#hash.update(JSON.stringify([journal, world.sandbox.state().digest]));
  }
}
