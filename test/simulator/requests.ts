// From what a step says to a request in full, and to its answer.

import { createHash } from "node:crypto";
import { at } from "./chance.ts";
import type { Received } from "./compare.ts";
import type { Asked } from "./model/life.ts";
import type { Identity, Moment } from "./model/moment.ts";
import { timesOf } from "./model/tokens.ts";
import { type AccountKey, BASES, isMuseum, methodOf, pathOf } from "./operations.ts";
import type { Ask, Body, Which } from "./steps.ts";
import type { Known, World } from "./world.ts";

const NOBODY = "00000000-0000-4000-8000-000000000000";

/** Sends what the clients ask, with the tokens that they have. */
export class Clients {
  readonly #known: Known;
  /** By world, environment and client. */
  readonly #sessions = new Map<string, string>();
  /** Every id that was ever seen, for asking what is gone. */
  readonly #seen = new Set<string>();

  constructor(known: Known) {
    this.#known = known;
  }

  /** The request in full; what it names is looked up in the present moment. */
  resolve(ask: Ask, world: World): Asked {
    const { environment, operation, client, query = [], accept, slow = false, respond } = ask;
    const { moment } = world;
    const identity = identityOf(moment, ask);
    const id = ask.which === undefined ? "" : this.#idOf(ask.which, ask, moment, identity);
    const body = this.#bodyOf(ask, moment, identity);
    const media = body === undefined ? null : ask.media === undefined ? "application/json" : ask.media;
    const authorization = this.#credentials(ask, world, identity);
    const headers = {
      ...(authorization === undefined ? {} : { authorization }),
      ...(accept === undefined ? {} : { accept }),
      ...(media === null ? {} : { "content-type": media }),
      ...(respond === undefined ? {} : { prefer: `problem=${respond}` }),
    };
    const method = methodOf(operation);
    const path = pathOf(operation, id);
    const asked = { world: world.name, environment, operation, client, method, path, id, query, headers };
    // A text without a type is sent as bytes, which come late as well.
    const isLate = slow || (media === null && body !== undefined);
    return { ...asked, text: body, value: parse(body), media, slow: isLate, respond };
  }

  /** The client has the token of its login, and no longer one that was refused. */
  note(asked: Asked, { status, text }: Received): void {
    const session = sessionOf(asked);
    if (asked.operation === "login" && status === 200) this.#sessions.set(session, JSON.parse(text).token);
    else if (status === 401 && !isMuseum(asked.operation)) this.#sessions.delete(session);
  }

  #credentials({ caller, environment, client }: Ask, world: World, identity: Identity | undefined) {
    switch (caller.kind) {
      case "none":
        return undefined;
      case "garbled":
        return "Basic %";
      case "basic":
        return `Basic ${Buffer.from(`${caller.user}:secret`).toString("base64")}`;
      case "token":
        return `Bearer ${at(this.#known.tokens.all(), caller.pick)?.text ?? "none"}`;
      default:
        break;
    }
    const key = environment as AccountKey; // the museum's callers have Basic pairs
    const session = sessionOf({ world: world.name, environment, client });
    const { name: user = "" } = identity ?? {};
    const now = world.moment.now;
    const lifeSeconds = Math.ceil(world.moment.settings.tokenMs / 1_000);
    const options = { environment: key, user };
    if (caller.kind === "defect") {
      const { defect } = caller;
      const text = world.sandbox.auth.token({ ...options, kind: defect });
      const signed = defect === "other-environment" ? otherThan(key) : key;
      const token = { text, world: world.name, environment: signed, user, defect };
      this.#known.tokens.add({ ...token, ...timesOf(defect, now, lifeSeconds) });
      return `Bearer ${text}`;
    }
    const present = this.#sessions.get(session);
    if (present !== undefined) return `Bearer ${present}`;
    const text = world.sandbox.auth.token(options);
    const iat = Math.floor(now / 1_000);
    this.#known.tokens.add({ text, world: world.name, environment, user, iat, exp: iat + lifeSeconds });
    this.#sessions.set(session, text);
    return `Bearer ${text}`;
  }

  #bodyOf({ body, operation, environment }: Ask, moment: Moment, identity: Identity | undefined) {
    if (body === undefined) return undefined;
    if ("raw" in body) return body.raw;
    const { fields } = body;
    if (operation === "login")
      return JSON.stringify(loginOf(body, moment[environment as AccountKey].identities));
    const { names } = body;
    const named = names && {
      [names.field]: this.#named(names.which, names.field, moment, environment, identity),
    };
    return JSON.stringify({ ...fields, ...named });
  }

  #named(
    which: Which,
    field: string,
    moment: Moment,
    environment: Ask["environment"],
    identity?: Identity,
  ): string {
    if (field === "eventId")
      return this.#choose(
        which,
        moment.events.map(({ eventId }) => eventId),
        [],
      );
    const { preSales } = moment[environment as AccountKey];
    return this.#choose(which, ...ownAndOthers(preSales, identity));
  }

  #idOf(
    which: Which,
    { operation, environment }: Ask,
    moment: Moment,
    identity: Identity | undefined,
  ): string {
    if (pathOf(operation).startsWith("/users/")) return which.of === "present" ? "me" : "you";
    if (isMuseum(operation)) {
      const events = moment.events.map(({ eventId }) => eventId);
      const tickets = moment.tickets.map(({ ticketId }) => ticketId);
      const [own, others] = operation === "getTicketCode" ? [tickets, events] : [events, tickets];
      return this.#choose(which, own, others);
    }
    const { consumptions, preSales, preSaleActions } = moment[environment as AccountKey];
    const path = pathOf(operation);
    const all = path.startsWith("/consumptions")
      ? consumptions
      : path.startsWith("/pre-sales")
        ? preSales
        : preSaleActions;
    return this.#choose(which, ...ownAndOthers(all, identity));
  }

  #choose({ of, pick, upperCase }: Which, own: readonly string[], others: readonly string[]): string {
    for (const id of [...own, ...others]) this.#seen.add(id);
    const present = new Set([...own, ...others]);
    const gone = of === "gone" ? [...this.#seen].filter((id) => !present.has(id)) : [];
    const chosen = { present: own, gone, foreign: others, nobody: [NOBODY], malformed: ["not-a-uuid"] }[of];
    const id = at(chosen, pick) ?? NOBODY;
    return upperCase === true ? id.toUpperCase() : id;
  }
}

/** Clients of even numbers are the first user, the others the second; a disabled user never asks. */
function identityOf(moment: Moment, { environment, client }: Ask): Identity | undefined {
  if (environment === "museum") return undefined;
  return at(
    moment[environment].identities.filter(({ disabled }) => disabled !== true),
    client,
  );
}

function loginOf(
  { fields, names, rightPassword }: Exclude<Body, { raw: string }>,
  identities: readonly Identity[],
) {
  if (names === undefined) return fields;
  const identity = names.which.of === "present" ? at(identities, names.which.pick) : undefined;
  const email = identity?.name ?? "nobody@example.test";
  const password = rightPassword === true ? { password: identity?.password ?? "" } : {};
  return { email: names.which.upperCase === true ? email.toUpperCase() : email, ...fields, ...password };
}

function ownAndOthers(
  entities: readonly { readonly uuid: string; readonly owner: number }[],
  identity: Identity | undefined,
): [own: readonly string[], others: readonly string[]] {
  const ids = (own: boolean) =>
    entities.filter(({ owner }) => (owner === identity?.uid) === own).map(({ uuid }) => uuid);
  return [ids(true), ids(false)];
}

function otherThan(key: AccountKey): AccountKey {
  return key === "account" ? "accountSandbox" : "account";
}

function sessionOf({ world, environment, client }: Pick<Asked, "world" | "environment" | "client">): string {
  return `${world} ${environment} ${client}`;
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the service must refuse it
  }
}

/** Sends a request in process. A slow one has a body that is a stream, as that of the network is. */
export async function send({ sandbox }: World, asked: Asked): Promise<Received> {
  const { method, headers, text, slow } = asked;
  const url = BASES[asked.environment] + asked.path + searchOf(asked);
  const body = text === undefined ? {} : { body: slow ? new TextEncoder().encode(text) : text };
  try {
    const response = await sandbox.fetch(url, { method, headers, ...body });
    const type = response.headers.get("content-type") ?? "";
    const content = type === "image/png" ? digestOf(await response.arrayBuffer()) : await response.text();
    const failure = undefined;
    return { status: response.status, headers: Object.fromEntries(response.headers), text: content, failure };
  } catch (error) {
    const { cause } = error as { readonly cause?: { readonly code?: string } };
    if (cause?.code === undefined) throw error;
    return { status: 0, headers: {}, text: "", failure: cause.code };
  }
}

function searchOf({ query }: Asked): string {
  const pairs = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

function digestOf(bytes: ArrayBuffer): string {
  return createHash("sha256").update(new Uint8Array(bytes)).digest("hex");
}
