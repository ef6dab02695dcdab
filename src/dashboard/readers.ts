/** Reads the data of a page on the server, with methods of the sandbox. The browser reads the same data from READ_PATHS. */

import type { LocalSandbox } from "../sandbox/controls.ts";
import { parseFilter } from "./filter.ts";
import type { PageLocation } from "./location.ts";
import { type DataName, FIRST_COLLECTION, NEWEST_COUNT, type WorldData } from "./reads.ts";

/** Reads one kind of data, such as `rules`. `origin`: origin of the dashboard's URL in the browser. */
type DataReader<N extends DataName> = (
  controls: LocalSandbox,
  place: PageLocation,
  origin: string,
) => WorldData[N] | Promise<WorldData[N]>;

export const READERS: { readonly [N in DataName]: DataReader<N> } = {
  state: (controls) => controls.state(),
  async worlds({ worlds }, _place, origin) {
    return (await worlds.list()).map((world) => ({ id: world.id, urls: world.urlsAt(origin) }));
  },
  scenario: (controls) => controls.currentScenario(),
  rules: (controls) => controls.rules.list(),
  waiting: (controls) => controls.gates.waiting(),
  open: (controls) => controls.journal.list({ state: "open" }),
  exchanges: (controls, { filter = "" }) =>
    controls.journal.list(parseFilter(filter).matcher, { limit: NEWEST_COUNT }),
  picked: (controls, { seq }) => exchange(controls, seq),
  other: (controls, { other }) => exchange(controls, other),
  credentials: (controls) => controls.catalogue.credentials(),
  operations: (controls) => controls.catalogue.operations(),
  presets: (controls) => controls.catalogue.presets(),
  tokens: (controls) => controls.auth.tokens(),
  snapshots: (controls) => controls.snapshots.list(),
  mails: (controls) => controls.mailbox.messages(),
  entities(controls, { collection = FIRST_COLLECTION }) {
    const [environment = "", name = ""] = collection.split("/");
    return controls.data[environment]?.[name]?.all();
  },
  lint: (controls) => controls.lint(),
  coverage: (controls) => controls.coverage.data(),
};

function exchange(controls: LocalSandbox, seq: number | undefined) {
  if (seq === undefined) return undefined;
  return controls.journal.list({ after: seq - 1 }).find((one) => one.seq === seq);
}
