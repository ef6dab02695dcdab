/** Attaches a sandbox to its world, because the operations of the control API receive only the world. */

import type { World } from "../world/world.ts";
import type { LocalSandbox } from "./controls.ts";

const SANDBOX_KEY = Symbol("controls");

export function bindSandbox(world: World, sandbox: LocalSandbox): void {
  world.companions.set(SANDBOX_KEY, sandbox);
}

export function getSandbox(world: World): LocalSandbox {
  const found = world.companions.get(SANDBOX_KEY);
  if (found === undefined) throw new Error(`no sandbox is bound to the world ${world.id}`);
  return found as LocalSandbox; // Safe cast: only bindSandbox() stores a value under this symbol.
}
