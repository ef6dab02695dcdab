/** `vitrine openapi`: prints the OpenAPI document of a service. */

import { createUnknownError } from "../errors/nearest.ts";
import { createSandbox } from "../open/create-sandbox.ts";
import { defineCommand } from "./command.ts";

type ServedDocument = {
  readonly servers: readonly [{ readonly url: string }];
  readonly info: { readonly description: string };
};

/** The sandbox's clock is frozen at this time, so that the document is the same every day. */
const FROZEN_CLOCK = "2026-01-01T09:00:00Z";
const SERVICE_NAMES = ["museum", "account", "control"] as const;

export const openapi = defineCommand({
  name: "openapi",
  summary: "print the OpenAPI 3.1 document of a service",
  takes: { name: SERVICE_NAMES.join("|"), least: 1, most: 1 },
  flags: {
    server: {
      value: "URL",
      about: "base URL of the service in the document (default on http://localhost)",
    },
  },
  async run({ operands: [name = ""], flags, io }) {
    if (!(SERVICE_NAMES as readonly string[]).includes(name))
      throw createUnknownError("service", name, SERVICE_NAMES);
    await using sandbox = await createSandbox({ clock: FROZEN_CLOCK });
    const reply = await sandbox.fetch(`${sandbox.urls[name]}/openapi.json`);
    if (!reply.ok) throw new Error(`${name} answered ${reply.status} instead of its document`);
    const document = (await reply.json()) as ServedDocument;
    io.out(`${JSON.stringify(withServerUrl(flags.server, document), undefined, 2)}\n`);
    return 0;
  },
});

/** Replaces the base URL of the service in `servers` and in the description with `url`. */
function withServerUrl(url: string | undefined, document: ServedDocument): ServedDocument {
  if (url === undefined) return document;
  const { info } = document;
  const [server] = document.servers;
  const description = info.description.replaceAll(server.url, url);
  return { ...document, info: { ...info, description }, servers: [{ ...server, url }] };
}
