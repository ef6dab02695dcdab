// Draws the requests of the clients: every operation of both services, right more often than wrong.

import type { Chance } from "./chance.ts";
import type { EventFields } from "./model/moment.ts";
import type { AccountKey, AccountOperation, MuseumOperation } from "./operations.ts";
import { type Ask, type Body, type Caller, TOKEN_DEFECTS, type Which } from "./steps.ts";

type Drawn = Omit<Ask, "client" | "environment">;
type Fields = Readonly<Record<string, unknown>>;

const RAW = ["", "{", "[]", "null", '"x"', '{"price": 1} x', "\ufeff"];
const NAMES = ["Night of the lamps", "Nuit à l'Opéra", "夜", ""];
const DATES = ["2026-03-01", "2026-03-02", "2026-03-08", "2026-03-09", "2026-03-31", "2028-02-29"];
const NO_DATES = ["2026-02-30", "2026-03-01T00:00:00Z", "tomorrow", ""];
const PRICES = [0, 1, 12.5, -3, 1e6];
const MAIL = ["ops@example.test", "ada@example.test", "billing@example.test"];
const NO_MAIL = ["nope", "a@b", ""];

/** A request of one client; the environment is that of the operation. */
export function drawAsk(chance: Chance, clients: number): Ask {
  const client = chance.below(clients);
  const slow = chance.happens(25) ? { slow: true } : {};
  if (chance.happens(50)) return { client, environment: "museum", ...drawMuseum(chance), ...slow };
  const environment: AccountKey = chance.happens(80) ? "account" : "accountSandbox";
  return { client, environment, ...drawAccount(chance), ...slow };
}

function drawMuseum(chance: Chance): Drawn {
  const operation = chance.weighted<MuseumOperation>([
    [6, "createSpecialEvent"],
    [6, "listSpecialEvents"],
    [5, "getSpecialEvent"],
    [4, "updateSpecialEvent"],
    [3, "deleteSpecialEvent"],
    [1, "getMuseumHours"],
    [3, "buyMuseumTickets"],
    [0.2, "getTicketCode"],
  ]);
  const caller: Caller = chance.happens(94)
    ? { kind: "basic", user: chance.of(["ada", "bruno", ""]) }
    : { kind: chance.of(["none", "garbled"]) };
  const asked = { operation, caller, ...asksFor(chance, "eventNotFound", operation, ["getSpecialEvent"]) };
  switch (operation) {
    case "createSpecialEvent":
      return { ...asked, ...sent(chance, event(chance)) };
    case "updateSpecialEvent":
      return { ...asked, which: which(chance), ...sent(chance, some(chance, event(chance))) };
    case "buyMuseumTickets":
      return { ...asked, ...ticket(chance) };
    case "listSpecialEvents":
      return { ...asked, query: range(chance) };
    case "getMuseumHours":
      return { ...asked, query: range(chance).filter(([name]) => name !== "endDate") };
    default:
      return { ...asked, which: which(chance) };
  }
}

function drawAccount(chance: Chance): Drawn {
  const operation = chance.weighted<AccountOperation>([
    [3, "login"],
    [3, "listConsumptions"],
    [1, "getConsumption"],
    [2, "listPreSales"],
    [1, "getPreSale"],
    [4, "listPreSaleActions"],
    [5, "createPreSaleAction"],
    [3, "getPreSaleAction"],
    [3, "replacePreSaleAction"],
    [2, "deletePreSaleAction"],
    [2, "getUser"],
    [2, "replaceUser"],
    [1, "changePassword"],
  ]);
  if (operation === "login") return { operation, ...login(chance) };
  const caller = chance.weighted<Caller>([
    [88, { kind: "session" }],
    [3, { kind: "token", pick: chance.pick() }],
    [3, { kind: "defect", defect: chance.of(TOKEN_DEFECTS) }],
    [4, { kind: chance.of(["none", "garbled"]) }],
  ]);
  const accept = chance.weighted<{ accept?: string }>([
    [60, { accept: "application/json" }],
    [20, {}],
    [10, { accept: "application/ld+json" }],
    [5, { accept: "text/html" }],
    [5, { accept: "text/plain" }],
  ]);
  const asked = { operation, caller, ...accept, ...asksFor(chance, "userNotFound", operation, ["getUser"]) };
  switch (operation) {
    case "listConsumptions":
      return { ...asked, query: [...page(chance), ...months(chance)] };
    case "listPreSales":
    case "listPreSaleActions":
      return { ...asked, query: page(chance) };
    case "createPreSaleAction":
      return { ...asked, ...sent(chance, action(chance), preSale(chance)) };
    case "replacePreSaleAction":
      return { ...asked, which: which(chance), ...sent(chance, action(chance), preSale(chance)) };
    case "replaceUser":
      return { ...asked, which: me(chance), ...sent(chance, some(chance, profile(chance))) };
    case "changePassword":
      return { ...asked, which: me(chance), ...sent(chance, { password: password(chance) }) };
    case "getUser":
      return { ...asked, which: me(chance) };
    default:
      return { ...asked, which: which(chance) };
  }
}

/** Now and then the request itself asks for a problem that its operation documents. */
function asksFor(chance: Chance, problem: string, operation: string, some: readonly string[]) {
  return some.includes(operation) && chance.happens(5) ? { respond: problem } : {};
}

function which(chance: Chance): Which {
  const of = chance.weighted<Which["of"]>([
    [80, "present"],
    [8, "gone"],
    [5, "foreign"],
    [4, "nobody"],
    [3, "malformed"],
  ]);
  return { of, pick: chance.pick(), upperCase: chance.happens(5) };
}

/** `me` is a user's only name. */
function me(chance: Chance): Which {
  return { of: chance.happens(92) ? "present" : "nobody", pick: 0 };
}

function preSale(chance: Chance): NonNullable<Exclude<Body, { raw: string }>["names"]> {
  return { field: "pre_sale_uuid", which: which(chance) };
}

/** A body with these fields, one of them wrong at times; or none that could be read. */
function sent(
  chance: Chance,
  fields: Fields,
  names?: Exclude<Body, { raw: string }>["names"],
): Pick<Ask, "body" | "media"> {
  if (chance.happens(4)) return { body: { raw: chance.of(RAW) } };
  const spoilt = chance.happens(18) ? spoil(chance, fields) : fields;
  const media = chance.happens(4) ? { media: chance.of([null, "text/plain", "application/xml"]) } : {};
  const named = names !== undefined && chance.happens(95) ? { names } : {};
  return { body: { fields: spoilt, ...named }, ...media };
}

function spoil(chance: Chance, fields: Fields): Fields {
  const name = chance.of(Object.keys(fields));
  const { [name]: _left, ...rest } = fields;
  return chance.weighted<Fields>([
    [2, rest],
    [1, { ...rest, [name]: null }],
    [1, { ...rest, [name]: chance.of(["7", 7, 7.5, true, ["x"], {}]) }],
    [1, { ...fields, unheardOf: 1 }],
  ]);
}

/** Some of the fields. */
function some(chance: Chance, fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(() => chance.happens(50)));
}

function event(chance: Chance): Readonly<Record<keyof EventFields, unknown>> {
  const dates = Array.from({ length: chance.below(4) }, () => chance.of(DATES));
  return {
    name: chance.of(NAMES),
    location: chance.of(["Hall 2", "Roof"]),
    eventDescription: "After dark.",
    dates: chance.happens(4) ? [...dates, chance.of(NO_DATES)] : dates,
    price: chance.of(PRICES),
  };
}

function ticket(chance: Chance): Pick<Ask, "body" | "media"> {
  const ticketType = chance.of(["event", "event", "general"]);
  const fields = { ticketType, ticketDate: chance.of(DATES), email: chance.of([...MAIL, ...MAIL, "nope"]) };
  const phone = chance.happens(30) ? { phone: "+39 055 0100" } : {};
  const names = { field: "eventId", which: which(chance) };
  return sent(chance, { ...fields, ...phone }, ticketType === "event" ? names : undefined);
}

function range(chance: Chance): NonNullable<Ask["query"]> {
  const query: [string, string][] = [];
  if (chance.happens(60))
    query.push(["startDate", chance.happens(95) ? chance.of(DATES) : chance.of(NO_DATES)]);
  if (chance.happens(30)) query.push(["endDate", chance.of(DATES)]);
  if (chance.happens(40)) query.push(["page", chance.of(["1", "1", "2", "2", "3", "0", "x"])]);
  if (chance.happens(50)) query.push(["limit", chance.of(["1", "2", "2", "5", "5", "30", "30", "31", "0"])]);
  if (chance.happens(3)) query.push(["page", "1"]);
  if (chance.happens(3)) query.push(["colour", "red"]);
  return query;
}

function page(chance: Chance): NonNullable<Ask["query"]> {
  return chance.happens(40)
    ? [["page", chance.of(["1", "1", "2", "2", "2abc", "1.9", "99", "0", "-1", "abc"])]]
    : [];
}

function months(chance: Chance): NonNullable<Ask["query"]> {
  const query: [string, string][] = [];
  if (chance.happens(30)) query.push(["year", chance.of(["2026", "2025", "abc", "02026"])]);
  const [one, several] = [chance.happens(20), chance.happens(20)];
  if (one) query.push(["month", chance.of(["1", "3", "13"])]);
  else if (several) query.push(["month[]", "1"], ["month[]", chance.of(["2", "12", "x"])]);
  return query;
}

function action(chance: Chance): Fields {
  return {
    threshold: chance.of([0, 3, 4, 18, 100, 880, 900, 5000, -1]),
    action_type: chance.happens(95) ? "alert_mail" : chance.of(["sms", ""]),
    target: chance.happens(90) ? chance.of(MAIL) : chance.of(NO_MAIL),
    enabled: chance.happens(80),
  };
}

function profile(chance: Chance): Fields {
  return {
    fullname: chance.of(["Ada Byrne", "", null, "x".repeat(255), "x".repeat(256)]),
    invoicing_city: chance.of(["Torino", null]),
    invoicing_country: chance.of(["IT", "GB"]),
  };
}

function password(chance: Chance): string {
  return chance.of([
    "Lanterns#2026",
    "Vitrine!2027",
    "short1!",
    "no-digits-here!",
    "NoSpecial2026",
    "12345678!",
  ]);
}

/** `user` picks one of those that there are, disabled ones too. */
function login(chance: Chance): Omit<Drawn, "operation"> {
  const caller: Caller = { kind: "none" };
  const email = {
    field: "email",
    which: { of: chance.happens(92) ? "present" : "nobody", pick: chance.pick() },
  } as const;
  if (chance.happens(12)) return { caller, ...sent(chance, { password: "Vitrine!2026" }, email) };
  const right = chance.happens(95);
  const upperCase = chance.happens(10);
  const names = { ...email, which: { ...email.which, upperCase } };
  return { caller, body: { fields: { password: "wrong" }, names, rightPassword: right } };
}
