// A list is the union of its items: every page of it, and every item by itself.

import { Broken, differs, expectRight } from "./broken.ts";
import type { Exchanges } from "./exchange.ts";
import type { OperationName } from "./operations.ts";
import type { Clients } from "./requests.ts";
import type { Ask, Step } from "./steps.ts";
import { idOf, type World } from "./world.ts";

type Entity = Readonly<Record<string, unknown>>;
const MOST_PAGES = 20;
/** Items that are asked for by themselves. */
const MOST_ITEMS = 6;

/** Lists, each with the operation that reads one of its items, and a query that leaves nothing out. */
const LISTS: Readonly<
  Record<string, readonly [list: OperationName, item: OperationName, query: Ask["query"]]>
> = {
  museum: [
    "listSpecialEvents",
    "getSpecialEvent",
    [
      ["startDate", "1970-01-01"],
      ["endDate", "9999-01-01"],
      ["limit", "30"],
    ],
  ],
  account: ["listPreSaleActions", "getPreSaleAction", []],
};

/** Reads a list to its end, then some of its items. Where a rule answers meanwhile, there is nothing to compare. */
export async function audit(
  world: World,
  { environment, client }: Extract<Step, { do: "audit" }>,
  clients: Clients,
  exchanges: Exchanges,
): Promise<void> {
  const [list, item, query = []] = LISTS[environment] ?? LISTS["account"] ?? [];
  if (list === undefined || item === undefined) return;
  const caller =
    environment === "museum" ? ({ kind: "basic", user: "ada" } as const) : ({ kind: "session" } as const);
  const common = { client, environment, caller, accept: "application/json" };
  const read = async (ask: Ask, id?: string): Promise<unknown> => {
    const asked = clients.resolve(ask, world);
    const named = id === undefined ? asked : { ...asked, id, path: asked.path.replace(/[^/]*$/, id) };
    const [played] = await exchanges.play(world, [named]);
    const isWhole = played?.expected.ruled !== true && played?.received.status === 200;
    return isWhole ? JSON.parse(played.received.text) : undefined;
  };
  const listed: Entity[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const items = await read({ ...common, operation: list, query: [...query, ["page", String(page)]] });
    if (items === undefined) return;
    if ((items as readonly Entity[]).length === 0) break;
    listed.push(...(items as readonly Entity[]));
  }
  if (new Set(listed.map(idOf)).size !== listed.length) throw new Broken(`${list} shows an item twice`);
  for (const shown of listed.slice(0, MOST_ITEMS)) {
    const which = { of: "present", pick: 0 } as const;
    const one = await read({ ...common, operation: item, which }, idOf(shown));
    if (one !== undefined) expectRight(differs(`an item of ${list}, asked for by itself,`, one, shown));
  }
}
