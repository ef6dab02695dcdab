/** Settings of a scenario, merged into those that a sandbox has. */

import type { Service } from "../operation/service.ts";

/** Settings of one service, to be merged into the current ones. */
export type ServiceSettings = {
  readonly service: string;
  readonly settings: Readonly<Record<string, unknown>>;
};

/** Service name -> its settings, those `below` with these changes merged into them, a later one over an earlier. */
export function mergedSettings(
  services: readonly Service[],
  below: Readonly<Record<string, unknown>>,
  changes: readonly ServiceSettings[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    services.map(({ name, settings: schema }) => {
      const own = changes.filter(({ service }) => service === name).map(({ settings }) => settings);
      return [name, schema.parse(own.reduce<unknown>(merge, below[name] ?? {}))];
    }),
  );
}

/** Merges objects field by field; anything else replaces the base. Only own keys are read. */
function merge(base: unknown, change: unknown): unknown {
  if (!isRecord(base) || !isRecord(change)) return change;
  const entries = Object.entries(change).map(([key, value]) => [
    key,
    Object.hasOwn(base, key) ? merge(base[key], value) : value,
  ]);
  return { ...base, ...Object.fromEntries(entries) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
