/** `vitrine openapi`: the document of a service, exactly as a running sandbox serves it. */

import { createSandbox } from "../vitrine.ts";
import { noSuch } from "../world/nearest.ts";
import { defineCommand } from "./command.ts";

/** A frozen clock, so that the document is the same every day. */
const CLOCK = "2026-01-01T09:00:00Z";
const NAMES = ["museum", "account", "control"] as const;

export const openapi = defineCommand({
  name: "openapi",
  summary: "print the OpenAPI 3.1 document of a service",
  takes: { name: NAMES.join("|"), least: 1, most: 1 },
  flags: {
    server: {
      value: "URL",
      about: "the address of the service in the document (default on http://localhost)",
    },
  },
  async run({ operands: [name = ""], flags, io }) {
    if (!(NAMES as readonly string[]).includes(name)) throw noSuch("service", name, NAMES);
    await using sandbox = await createSandbox({ clock: CLOCK });
    const reply = await sandbox.fetch(`${sandbox.urls[name]}/openapi.json`);
    const document = (await reply.json()) as { servers: [{ url: string }] }; // as the sandbox writes it
    if (!reply.ok) throw new Error(`${name} answered ${reply.status} instead of its document`);
    if (flags.server !== undefined) document.servers[0].url = flags.server;
    io.out(`${JSON.stringify(document, undefined, 2)}\n`);
    return 0;
  },
});
