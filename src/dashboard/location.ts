/** Where one is in the dashboard: world and page by the path and query of the address, so that it can be sent to others. */

export const PAGES = {
  start: "Start",
  requests: "Requests",
  misbehave: "Misbehave",
  data: "Data",
  time: "Time",
  mail: "Mail",
  client: "Client",
} as const;
export type PageName = keyof typeof PAGES;

/** Typed after "g": a letter for each page. */
export const PAGE_KEYS = "srmdtlc";

/** The parts of an exchange's details, in the order of their tabs. */
export const TABS = {
  why: "Why",
  request: "Request",
  response: "Response",
  changed: "Changed",
  rules: "Rules",
} as const;
export type DetailTab = keyof typeof TABS;

export type PageLocation = {
  /** What precedes every path where the sandbox is a part of another app; mostly empty. */
  readonly mount: string;
  readonly world: string;
  /** Left out: what there is most to see on. */
  readonly page?: PageName | undefined;
  /** Of the exchanges, as it was typed. */
  readonly filter?: string | undefined;
  /** The number of the exchange that is open. */
  readonly seq?: number | undefined;
  /** The one that it is compared with. */
  readonly other?: number | undefined;
  readonly tab?: DetailTab | undefined;
  /** `museum.createSpecialEvent/invalidInput`: the answer that is being made into a rule. */
  readonly force?: string | undefined;
  /** `museum/specialEvents` */
  readonly collection?: string | undefined;
  /** The id of the mail that is open. */
  readonly mail?: string | undefined;
};

const CONTROL = "/_vitrine";

/** The address of a world's control API. */
export function buildControlPath({ mount, world }: Pick<PageLocation, "mount" | "world">): string {
  return mount + (world === "main" ? "" : `/~${world}`) + CONTROL;
}

/** The address of a place; fields of `change` replace its own, undefined takes one away. */
export function buildHref(place: PageLocation, change: Partial<PageLocation> = {}): string {
  const { page, filter, seq, other, tab, force, collection, mail, ...at } = { ...place, ...change };
  const fields = { page, filter, seq, other, tab, force, collection, mail };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== "") query.set(name, String(value));
  return `${buildControlPath(at)}/${query.size === 0 ? "" : `?${query}`}`;
}

/** The start of the same world, which has other exchanges and mails than others. */
export function onlyWorld({ mount, world }: PageLocation): PageLocation {
  return { mount, world };
}

/** What an address names. Unknown values are as if left out, since anybody can write an address. */
export function parseLocation(path: string, search: string): PageLocation {
  const [, mount = "", world = "main"] = /^(.*?)(?:\/~([^/]+))?\/_vitrine(?:\/.*)?$/.exec(path) ?? [];
  const query = new URLSearchParams(search);
  const text = (name: string): string | undefined => query.get(name) ?? undefined;
  return {
    mount,
    world,
    page: keyOf(PAGES, text("page")),
    filter: text("filter"),
    seq: numberOf(text("seq")),
    other: numberOf(text("other")),
    tab: keyOf(TABS, text("tab")),
    force: text("force"),
    collection: text("collection"),
    mail: text("mail"),
  };
}

function keyOf<T extends object>(table: T, name: string | undefined): keyof T | undefined {
  return name !== undefined && Object.hasOwn(table, name) ? (name as keyof T) : undefined; // one of its own
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
