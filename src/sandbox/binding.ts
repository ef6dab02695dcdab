/** Which controls belong to a world: the control API has the world alone. */

import type { World } from "../world/world.ts";
import type { LocalSandbox } from "./controls.ts";

const SANDBOX_KEY = Symbol("controls");

/** So that the control API finds the sandbox of a world. */
export function bindSandbox(world: World, sandbox: LocalSandbox): void {
  world.companions.set(SANDBOX_KEY, sandbox);
}

export function getSandbox(world: World): LocalSandbox {
  const found = world.companions.get(SANDBOX_KEY);
  if (found === undefined) throw new Error(`no controls are bound to the world ${world.id}`);
  return found as LocalSandbox; // only this module knows the symbol
}
