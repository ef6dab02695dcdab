/** Addresses as variables of the environment, under the names by which a program under test knows them. */

import { unknownName } from "../../world/nearest.ts";
import { UsageError } from "../../world/usage-error.ts";

/** By variable, the name of a URL of the sandbox: `{ VITE_MUSEUM_URL: "museum" }`. */
export type VariableNames = Readonly<Record<string, "museum" | "account" | "accountSandbox" | "control">>;
type Variables = Readonly<Record<string, string>>;

/** The variables with their URLs. Throws a UsageError for a URL that there is not. */
export function variablesOf(names: Readonly<Record<string, string>>, urls: Variables): Variables {
  const entries = Object.entries(names).map(([variable, name]) => {
    const url = Object.hasOwn(urls, name) ? urls[name] : undefined;
    if (url === undefined)
      throw new UsageError("badOption", `${variable}: ${unknownName("URL", name, Object.keys(urls))}`);
    return [variable, url];
  });
  return Object.fromEntries(entries);
}

/** Sets variables of this process; the function that it returns puts back what was there. */
export function setVariables(variables: Variables): () => void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
