// Owns how an environment is named from outside: by its key, or by its plain name where only one is called that.

import { unknownName } from "../world/nearest.ts";
import { UsageError } from "../world/usage-error.ts";
import type { Environment } from "./service.ts";

/** The environment that a name means, `accountSandbox` or `sandbox`; undefined: none, or more than one. */
export function findEnvironment(environments: readonly Environment[], name: string): Environment | undefined {
  const [called, ...others] = environments.filter((one) => one.name === name);
  return environments.find(({ key }) => key === name) ?? (others.length === 0 ? called : undefined);
}

/** The same; the first when no name is given. Throws a UsageError that tells the names. */
export function readEnvironment(environments: readonly Environment[], name: string | undefined): Environment {
  const environment = name === undefined ? environments[0] : findEnvironment(environments, name);
  if (environment !== undefined) return environment;
  const known = environments.flatMap(({ key, name: plain }) => [key, plain]);
  throw new UsageError("unknownName", unknownName("environment", String(name), known), {
    pointer: "/environment",
  });
}
