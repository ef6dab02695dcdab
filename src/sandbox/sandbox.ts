// Owns one sandbox: a world, its settings, rules and journal, behind one fetch. The verbs that tests say to it stand
// here; what each does is owned by the part it names.

import type { Environment, Service } from "../operation/service.ts";
import { Rules } from "../scenario/rules.ts";
import type { Clock } from "../world/clock.ts";
import type { Mailbox } from "../world/mailbox.ts";
import type { World, WorldSnapshot } from "../world/world.ts";
import { DataCollection } from "./data.ts";
import { Journal } from "./journal.ts";

export type Settings = Readonly<Record<string, unknown>>;

export type SandboxParts = {
  readonly world: World;
  readonly services: readonly Service[];
  /** Service name -> its settings, complete and checked. */
  readonly settings: Settings;
};

export type SandboxSnapshot = { readonly world: WorldSnapshot; readonly settings: Settings };

export class Sandbox {
  readonly world: World;
  readonly services: readonly Service[];
  readonly journal = new Journal();
  readonly rules = new Rules();
  #settings: Settings;
  #states = new Map<string, unknown>();
  #initial: SandboxSnapshot;

  constructor({ world, services, settings }: SandboxParts) {
    this.world = world;
    this.services = services;
    this.#settings = settings;
    this.#initial = this.snapshot();
  }

  /** The name of its world; `main` is the first. */
  get id(): string {
    return this.world.id;
  }

  get clock(): Clock {
    return this.world.clock;
  }

  get mailbox(): Mailbox {
    return this.world.mailbox;
  }

  settingsOf(service: Service): unknown {
    return this.#settings[service.name];
  }

  /** Replaces the settings of some services; given complete and checked. */
  changeSettings(settings: Settings): void {
    this.#settings = { ...this.#settings, ...settings };
    this.#states.clear();
  }

  /** The state of an environment as the handlers see it. */
  stateOf(service: Service, environment: Environment): unknown {
    let state = this.#states.get(environment.key);
    if (state === undefined) {
      state = service.state(this.world, environment, this.settingsOf(service));
      this.#states.set(environment.key, state);
    }
    return state;
  }

  collection(service: Service, environment: Environment, name: string): DataCollection {
    return new DataCollection(this.world, service, environment, name);
  }

  /** What another sandbox is made of that starts with this one's state, in a world of its own. */
  copy(id: string): SandboxParts {
    return { world: this.world.fork(id), services: this.services, settings: this.#settings };
  }

  snapshot(): SandboxSnapshot {
    return { world: this.world.snapshot(), settings: this.#settings };
  }

  restore(snapshot: SandboxSnapshot): void {
    this.world.restore(snapshot.world);
    this.#settings = snapshot.settings;
    this.#states.clear();
  }

  /** Makes the present state the one that `reset` goes back to. */
  settle(): void {
    this.#initial = this.snapshot();
  }

  /** Everything as it was at the start: data, clock, ids, throttle, settings, rules, mailbox; the journal is empty. */
  reset(): void {
    this.restore(this.#initial);
    this.journal.clear();
  }
}
