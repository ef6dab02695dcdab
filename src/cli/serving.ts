/** Shared parts of `start` and `exec`: flags, sandbox and banner. */

import { UsageError } from "../errors/usage-error.ts";
import { createSandbox, type SandboxOptions } from "../open/create-sandbox.ts";
import type { Listening, LiveSandbox } from "../open/live-sandbox.ts";
import type { EntryOptions } from "../open/open-sandbox.ts";
import type { GivenScenario } from "../open/typed-scenario.ts";
import { library } from "../runtimes/node/library.ts";
import { isLoopbackAddress } from "../sandbox/addresses.ts";
import { type Flags, type FlagValues, toInteger } from "./command.ts";
import { readText } from "./files.ts";
import type { Io } from "./io.ts";

export const SERVING_FLAGS = {
  port: { value: "N", about: "port; 0 is any free one (default 4010)" },
  host: {
    value: "NAME",
    about: "host to listen on (default: 127.0.0.1 and ::1); others need a control token",
  },
  cert: { value: "FILE", about: "serve https with this certificate (PEM); needs --key" },
  key: {
    value: "FILE",
    about: "private key of the certificate (PEM)",
  },
  "own-ports": { about: "also serve each environment on a separate port" },
  scenario: { value: "NAME|FILE", many: true, about: "preset or file; later ones apply over earlier ones" },
  clock: { value: "WHEN", about: "freeze the clock at an ISO 8601 time, or run it with an offset: +3d, -2h" },
  seed: { value: "N", about: "generate base data from this seed" },
  autoplay: { about: "simulate a day of invoices every simulated minute" },
  smtp: { value: "URL", about: "forward alert mails over SMTP, such as smtp://localhost:1025" },
  base: { value: "DIR|FILE", about: "base data in place of the bundled data (see vitrine seed --out)" },
  data: { value: "DIR", about: "store each world in a JSON file in this folder (default: memory only)" },
  "state-reset": { about: "move the files in the --data folder aside, and start again" },
  "journal-body-bytes": { value: "N", about: "recorded size of each body (default 8192)" },
  "allowed-host": {
    value: "NAME",
    many: true,
    about: "accept this host name besides loopback names; needs a control token",
  },
  "allowed-origin": { value: "ORIGIN", many: true, about: "allow pages of this origin to call the services" },
  "control-token-file": {
    value: "FILE",
    about: "require the token in this file for the control API (or VITRINE_CONTROL_TOKEN)",
  },
} as const satisfies Flags;

export type ServingFlags = FlagValues<typeof SERVING_FLAGS>;

export const DEFAULT_PORT = 4010;

type RunningServer = {
  readonly sandbox: LiveSandbox;
  readonly listening: Listening;
  readonly stopped: Promise<NodeJS.Signals>;
};

/** Creates the sandbox and starts listening. Closes the sandbox if listening fails. */
export async function serve(
  flags: ServingFlags,
  io: Io,
  defaultPort: number,
  entry?: EntryOptions,
): Promise<RunningServer> {
  const port = toInteger("--port", flags.port) ?? defaultPort;
  const sandbox = await createSandbox(toOptions(flags, io), entry);
  try {
    for (const { message } of sandbox.journal.notices.all) io.printError(`vitrine: ${message}`);
    const { host, cert, key, "own-ports": ownPorts } = flags;
    const listening = await sandbox.listen({ port, host, cert, key, ownPorts });
    return { sandbox, listening, stopped: io.started() };
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

export function toOptions(flags: ServingFlags, { env }: Io): SandboxOptions {
  const bound = flags.host === undefined || ["0.0.0.0", "::"].includes(flags.host) ? [] : [flags.host];
  return {
    clock: flags.clock,
    seed: toInteger("--seed", flags.seed),
    generate: flags.seed !== undefined,
    scenario: flags.scenario.length === 0 ? undefined : (flags.scenario as readonly GivenScenario[]), // Safe: createSandbox() validates the values.
    base: flags.base,
    data: flags.data,
    stateReset: flags["state-reset"],
    autoplay: flags.autoplay,
    smtp: flags.smtp,
    journal: { bodyBytes: toInteger("--journal-body-bytes", flags["journal-body-bytes"]) },
    allowedHosts: [...flags["allowed-host"], ...bound.filter((host) => !isLoopbackAddress(host))],
    allowedOrigins: flags["allowed-origin"],
    controlToken: readToken(flags["control-token-file"], env["VITRINE_CONTROL_TOKEN"]),
  };
}

/** Reads the control token from a file or an environment variable. A flag with the token would be visible to other processes. */
function readToken(file: string | undefined, fromEnv: string | undefined): string | undefined {
  if (file === undefined) return fromEnv === "" ? undefined : fromEnv;
  const token = readText(file).trim();
  if (token !== "") return token;
  throw new UsageError("badOption", "The control token is empty.", { file });
}

const TITLES: Readonly<Record<string, string>> = {
  museum: "museum",
  account: "account",
  accountSandbox: "account sandbox",
  control: "control API and dashboard",
};

/** Formats the text that is printed when the server listens. */
export function formatBanner(sandbox: LiveSandbox, { url, urls }: Listening, host?: string): string {
  const lines = Object.entries(urls).flatMap(([key, address]) => [
    `  ${(TITLES[key] ?? key).padEnd(28)}${key === "control" ? `${address}/` : address}`,
    ...describeCredentials(sandbox, key).map((line) => `  ${"".padEnd(28)}${line}`),
  ]);
  const reach =
    host === undefined || isLoopbackAddress(host)
      ? []
      : ["", `Anyone who can reach ${host} can call both services. The control API requires its token.`];
  return ["", `vitrine ${library.version()} serves at ${url}`, "", ...lines, ...reach, ""].join("\n");
}

/** Describes how to authenticate with an environment. */
function describeCredentials(sandbox: LiveSandbox, environment: string): string[] {
  if (environment === "museum") return ["Basic credentials: any user name and password"];
  const [first] = sandbox.world.identities.of(environment).all();
  if (first === undefined) return [];
  return [`POST /login ${JSON.stringify({ email: first.name, password: first.password })}`];
}
