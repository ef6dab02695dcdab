/** What is wrong with the name of a world, said the same wherever worlds are. */

import { quoted } from "../world/shown.ts";
import { UsageError } from "../world/usage-error.ts";
import { isWorldName } from "../world/world-name.ts";

/** `idle`: how long a world may be idle, `30m`. */
export function noWorld(id: string, idle: string): string {
  return `No world ${quoted(id)}. Create it with POST /_vitrine/worlds {"name":${quoted(id)}}; worlds that are idle for ${idle} are removed.`;
}

export function checkWorldName(id: string): void {
  if (isWorldName(id)) return;
  throw new UsageError(
    "badOption",
    `${quoted(id)} is not a valid world name. Use 1 to 100 letters, digits, dots, dashes and underscores, a letter or digit first.`,
  );
}

export function worldExists(id: string): UsageError {
  return new UsageError("worldExists", `A world ${quoted(id)} already exists.`);
}

export function worldLimit(limit: number): UsageError {
  return new UsageError(
    "worldLimit",
    `The limit of ${limit} worlds (option worldLimit) is reached. Close some, or raise it.`,
  );
}

export function mainStays(): UsageError {
  return new UsageError("badOption", "The main world cannot be removed; reset it instead.");
}
