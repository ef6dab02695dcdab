/** Builds and parses the URLs of the dashboard, which contain world, page and open elements. */

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

/** Letter of each page, in the order of `PAGES`. The keyboard shortcut of a page is "g", then its letter. */
export const PAGE_KEYS = "srmdtlc";

export const TABS = {
  why: "Why",
  request: "Request",
  response: "Response",
  changed: "Changed",
  rules: "Rules",
} as const;
export type DetailTab = keyof typeof TABS;

export type PageLocation = {
  /** Path under which the sandbox is mounted in another app. Default: empty. */
  readonly mount: string;
  readonly world: string;
  /** Default: Requests if the journal has exchanges, otherwise Start. */
  readonly page?: PageName | undefined;
  readonly filter?: string | undefined;
  readonly seq?: number | undefined;
  /** `seq` of the exchange to compare with. */
  readonly other?: number | undefined;
  readonly tab?: DetailTab | undefined;
  /** Response that the form for a new rule shows, such as `museum.createSpecialEvent/invalidInput`. */
  readonly force?: string | undefined;
  /** Name of the shown collection, such as `museum/specialEvents`. */
  readonly collection?: string | undefined;
  readonly mail?: string | undefined;
};

const CONTROL = "/_vitrine";

export function buildControlPath({ mount, world }: Pick<PageLocation, "mount" | "world">): string {
  return mount + (world === "main" ? "" : `/~${world}`) + CONTROL;
}

/** Builds a URL. Fields of `change` replace fields of `place`; an undefined field is removed. */
export function buildHref(place: PageLocation, change: Partial<PageLocation> = {}): string {
  const { page, filter, seq, other, tab, force, collection, mail, ...at } = { ...place, ...change };
  const fields = { page, filter, seq, other, tab, force, collection, mail };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== "") query.set(name, String(value));
  return `${buildControlPath(at)}/${query.size === 0 ? "" : `?${query}`}`;
}

/** Returns only mount path and world of a location, without its page and open elements. */
export function onlyWorld({ mount, world }: PageLocation): PageLocation {
  return { mount, world };
}

/** Parses a URL. Unknown values are ignored. */
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
  return name !== undefined && Object.hasOwn(table, name) ? (name as keyof T) : undefined;
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
