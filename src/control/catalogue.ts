/** Lists the names that rules, scenarios and logins can use (presets, operations, settings, credentials), and the assumptions. */

import { listOperations } from "../operation/service.ts";
import { listSettings } from "../operation/settings.ts";
import type { SandboxMethods } from "../sandbox/controls.ts";
import type { SandboxCore } from "../sandbox/sandbox.ts";
import type { CredentialView, PresetView } from "../sandbox/views.ts";
import type { PackageLibrary } from "../scenario/library.ts";
import { listOutcomes } from "../scenario/outcomes.ts";
import { account } from "../services/account/index.ts";
import { museum } from "../services/museum/index.ts";
import type { MuseumSettings } from "../services/museum/schemas.ts";

export function createCatalogue(sandbox: SandboxCore, library: PackageLibrary): SandboxMethods["catalogue"] {
  const { services } = sandbox;
  return {
    presets: () => library.presetNames().map((name) => parsePresetView(name, library.preset(name).text)),
    operations: () =>
      listOperations(services).map(({ service, name, operation: { method, path, summary } }) => ({
        name,
        service: service.name,
        method: method.toUpperCase(),
        path,
        summary,
        outcomes: listOutcomes(name, services).map(({ operation: _same, ...outcome }) => outcome),
      })),
    settings: () =>
      services.flatMap(listSettings).map(({ path, schema }) => ({
        name: path.join("."),
        description: String(schema["description"] ?? ""),
        value: getValueAt(sandbox.settings, path),
        default: schema["default"],
      })),
    credentials: () => collectCredentials(sandbox),
    assumptions: () =>
      services.flatMap(({ name, assumptions = {} }) =>
        Object.entries(assumptions).map(([id, [point, served, setting]]) => {
          return { service: name, id, point, served, ...(setting && { setting }) };
        }),
      ),
  };
}

function parsePresetView(name: string, text: string): PresetView {
  const { title, description } = JSON.parse(text) as PresetView; // Safe cast: a test validates each preset file.
  return { name, title, description };
}

type Members = Readonly<Record<string, unknown>> | undefined;

function getValueAt(settings: unknown, path: readonly string[]): unknown {
  return path.reduce((value, name) => (value as Members)?.[name], settings);
}

/** Lists the museum's credentials (an example pair if the museum accepts any), and the enabled users of the account service. */
function collectCredentials(sandbox: SandboxCore): readonly CredentialView[] {
  const { credentials } = sandbox.settingsOf(museum) as MuseumSettings; // Safe cast: the museum's schema validated them.
  const pairs = credentials ?? [{ user: "guide", password: "secret", any: true as const }];
  const basic = museum.environments.flatMap(({ key: environment }) =>
    pairs.map((pair) => ({ environment, ...pair })),
  );
  const users = account.environments.flatMap(({ key }) =>
    sandbox.world.identities
      .of(key)
      .all()
      .filter(({ disabled }) => disabled !== true)
      .map(({ name, password }) => ({ environment: key, user: name, password })),
  );
  return [...basic, ...users];
}
