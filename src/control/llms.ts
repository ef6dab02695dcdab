/** Renders `/llms.txt`, the start page for agents: URLs, credentials and first calls of the running sandbox. */

import type { Environment, ServiceDocument } from "../operation/service.ts";
import type { LocalSandbox } from "../sandbox/controls.ts";
import { buildWorldView } from "./endpoints/worlds.ts";

export const renderLlmsTxt: ServiceDocument = ({ context, service: control, state }) => {
  const sandbox = state as LocalSandbox; // Safe cast: the state of the control API is its sandbox.
  const { urls } = buildWorldView(sandbox, context.exchange);
  const credentials = sandbox.catalogue.credentials();
  const sections = [...sandbox.core.services, control].map((service) => {
    const [environment] = service.environments as readonly [Environment]; // Safe cast: every service has an environment.
    const url = urls[environment.key] ?? "";
    // Safe cast: settings and state belong to this service.
    const settings = sandbox.core.settingsOf(service) as never;
    const known = sandbox.core.getServiceState(service, environment) as never;
    const about = service.introduction?.(settings, url, known) ?? service.description;
    return `\n## ${service.title}\n\nOpenAPI document: ${url}/openapi.json\n\n${about}`;
  });
  const body = [
    "# vitrine\n\n> A local sandbox simulates two services. No request reaches the real services.\n",
    ...Object.entries(urls).map(([name, url]) => `- ${name}: ${url}`),
    ...credentials.map(({ environment, user, password }) => `- ${environment}, user: ${user} ${password}`),
    `- dashboard: ${urls["control"]}/`,
    `- operations: ${urls["control"]}/operations?view=brief`,
    `- journal: ${urls["control"]}/journal?view=brief`,
    ...sections,
    "",
  ];
  return { status: 200, headers: {}, body: body.join("\n") };
};
