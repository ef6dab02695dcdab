// One world of a simulation: the sandbox, what the model has of it, and the reading of what no model can know.

import type { createSandbox } from "../../src/open/create-sandbox.ts";
import { Broken } from "./broken.ts";
import { claimsOf, type Received } from "./compare.ts";
import { accountService } from "./model/account.ts";
import type { Asked, Expected, Learn, Next, Service } from "./model/life.ts";
import { type Account, DEFAULTS, type Moment } from "./model/moment.ts";
import { museum } from "./model/museum.ts";
import { Tokens } from "./model/tokens.ts";
import type { AccountKey } from "./operations.ts";

export type LiveSandbox = Awaited<ReturnType<typeof createSandbox>>;
type Entity = Readonly<Record<string, unknown>>;

/** What the journal must hold of a request. */
export type Logged = { readonly asked: Asked; expected: Expected | undefined };
/** A request that waits at a gate: where it stands in the model, and its answer once it comes. */
export type Pending = {
  readonly asked: Asked;
  readonly at: number;
  readonly entry: Logged;
  readonly answer: Promise<Received>;
  readonly stands: Exclude<Next, { expected: Expected }>;
};

export type World = {
  readonly name: string;
  sandbox: LiveSandbox;
  moment: Moment;
  /** What a reset goes back to. */
  initial: Moment;
  readonly snapshots: Map<string, Moment>;
  /** In order of arrival. */
  log: Logged[];
  /** At gates, in order of arrival. */
  pending: Pending[];
};

export function worldOf(name: string, sandbox: LiveSandbox, moment: Moment): World {
  return { name, sandbox, moment, initial: moment, snapshots: new Map(), log: [], pending: [] };
}

/** The moment that a sandbox begins with. */
export function readMoment(sandbox: LiveSandbox): Moment {
  const { museum: held } = sandbox.data;
  return {
    now: sandbox.clock.now(),
    events: copy(held.specialEvents.all()),
    tickets: copy(held.tickets.all()),
    account: readAccount(sandbox, "account"),
    accountSandbox: readAccount(sandbox, "accountSandbox"),
    mails: [],
    settings: DEFAULTS,
    added: [],
    scenario: [],
    series: {},
  };
}

function readAccount({ data }: LiveSandbox, key: AccountKey): Account {
  const { identities, users, consumptions, preSales, preSaleActions } = data[key];
  return copy({
    identities: identities.all(),
    users: users.all(),
    consumptions: consumptions.all(),
    preSales: preSales.all(),
    preSaleActions: preSaleActions.all(),
    logins: [],
  });
}

function copy<T>(value: unknown): T {
  return JSON.parse(JSON.stringify(value)) as T; // entities are plain JSON; the model names the fields that it uses
}

/** From the journal: another request of the same moment may have removed it since. */
function createdLast({ journal }: LiveSandbox, collection: string, known: ReadonlySet<string>) {
  const changes = journal.list().flatMap((exchange) => exchange.changes);
  const created = changes.findLast(
    (change) => change.kind === "created" && change.collection === collection && !known.has(change.key),
  );
  return created?.after as Entity | undefined;
}

/** What is known across the worlds: tokens, and the ids that each series gives in all of them alike. */
export class Known {
  readonly tokens = new Tokens();
  readonly account: Service = accountService(this.tokens);
  /** By series and number. */
  readonly #ids = new Map<string, string>();
  readonly #drawn = new Set<string>();

  serviceOf({ environment }: Pick<Asked, "environment">): Service {
    return environment === "museum" ? museum : this.account;
  }

  /** Reads from a world's sandbox; an id that is not the one of its number, or of another's, is a failure. */
  learnFrom({ name, sandbox }: World): Learn {
    return (collection, known, nth) => {
      const [key = "", part = ""] = collection.split(".");
      if (part === "token") return this.#learnToken(name, sandbox, key as AccountKey, known);
      const entities = sandbox.data[key as AccountKey][part as "preSaleActions"].all() as readonly Entity[];
      const isKnown = new Set(known);
      const entity =
        entities.find((one) => !isKnown.has(idOf(one))) ?? createdLast(sandbox, `${key}/${part}`, isKnown);
      if (entity === undefined) throw new Broken(`what was created is not in ${collection}`);
      this.#checkId(`${collection} ${nth}`, idOf(entity));
      return entity;
    };
  }

  /** The n-th id of a series is the same in every world, and no other's. */
  #checkId(place: string, id: string): void {
    const before = this.#ids.get(place);
    if (before === undefined && this.#drawn.has(id))
      throw new Broken(`${place} has the id of another: ${id}`);
    if (before !== undefined && before !== id)
      throw new Broken(`${place} is ${id}, but was ${before} elsewhere`);
    this.#ids.set(place, id);
    this.#drawn.add(id);
  }

  #learnToken(
    world: string,
    { core: { world: held } }: LiveSandbox,
    key: AccountKey,
    claims: readonly string[],
  ): Entity {
    const [user = "", iat, exp] = claims;
    const logins = held.store.collection<{ readonly events: readonly { readonly token?: string }[] }>(
      `${key}/logins`,
    );
    const tokens = logins.all().flatMap(({ events }) => events.map(({ token = "" }) => token));
    const text = tokens.findLast((token) => {
      const found = token === "" ? {} : claimsOf(token);
      return found["username"] === user && String(found["iat"]) === iat && String(found["exp"]) === exp;
    });
    if (text === undefined) throw new Broken(`no token was handed out to ${user} at ${iat} until ${exp}`);
    this.tokens.add({ text, world, environment: key, user, iat: Number(iat), exp: Number(exp) });
    return { token: text };
  }
}

/** The field that names an entity of any collection. */
export function idOf(entity: Entity): string {
  return String(entity["ticketId"] ?? entity["uuid"] ?? entity["eventId"] ?? entity["uid"]);
}
