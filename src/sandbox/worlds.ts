// Owns the sandboxes that stand behind one address, by the id of their world.

import { UsageError } from "../world/usage-error.ts";
import type { Sandbox } from "./sandbox.ts";

export class Worlds {
  readonly main: Sandbox;
  readonly #byId = new Map<string, Sandbox>();

  constructor(main: Sandbox) {
    this.main = main;
    this.#byId.set(main.world.id, main);
  }

  get(id: string): Sandbox | undefined {
    return this.#byId.get(id);
  }

  add(sandbox: Sandbox): void {
    const { id } = sandbox.world;
    if (this.#byId.has(id))
      throw new UsageError("unknownWorld", `A world named ${JSON.stringify(id)} exists already.`);
    this.#byId.set(id, sandbox);
  }

  ids(): string[] {
    return [...this.#byId.keys()];
  }
}
