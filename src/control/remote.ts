/**
 * The controls of a sandbox in another process: every verb is one call of the control API, through the client that
 * its own declarations give. A refusal becomes the UsageError that the verb throws in process.
 */

import { z } from "zod";
import type { Capsule } from "../journal/capsule.ts";
import type { RecordedExchange } from "../journal/recorded-exchange.ts";
import { passed } from "../journal/verify.ts";
import { type Client, createClient, type Send } from "../operation/client.ts";
import type { Service } from "../operation/service.ts";
import { CONTROL, CONTROL_BASE } from "../request/guard.ts";
import type { Matcher } from "../rules/matcher.ts";
import type { RuleStatus } from "../rules/rules.ts";
import type { CollectionControls, Controls } from "../sandbox/controls.ts";
import type { WorldRecord } from "../sandbox/record.ts";
import type { MessageFilter } from "../world/mailbox.ts";
import { parseInstant, toIso } from "../world/time.ts";
import { type UsageCode, UsageError } from "../world/usage-error.ts";
import type { controlOperations } from "./index.ts";
import { writeMatcherQuery } from "./matcher-query.ts";

export type RemoteOptions = {
  /** The origin of the sandbox: `http://localhost:4010`, without a path. */
  readonly origin: string;
  /** `main`, or the name of a world. */
  readonly world: string;
  /** The control token, where the sandbox asks for one. */
  readonly token: string | undefined;
  /** The simulated services. */
  readonly services: readonly Service[];
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
};

type Reply<T> =
  | { readonly ok: true; readonly body: T }
  | { readonly ok: false; readonly status: number; readonly body: unknown };

export function remoteControls(options: RemoteOptions): Controls {
  const { origin, world, token, services, fetch } = options;
  const prefix = origin + (world === "main" ? "" : `/~${world}`);
  const call = controlClient((path, init) => {
    const headers = new Headers(init.headers);
    headers.set("x-vitrine-control", "1");
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    return fetch(prefix + CONTROL_BASE + path, { ...init, headers });
  });
  // The journal and the rules of the sandbox sent these: they have the same shape as in process.
  const exchanges = async (matcher: Matcher) =>
    (await value(
      call.listExchanges({ query: writeMatcherQuery(matcher) }),
    )) as readonly object[] as readonly RecordedExchange[];
  const rules = async () => (await value(call.listRules())) as readonly object[] as readonly RuleStatus[];
  const environments = [...services.flatMap((service) => service.environments), CONTROL];
  return {
    id: world,
    urls: Object.fromEntries(environments.map(({ key, base }) => [key, prefix + base])),
    clock: {
      now: async () => parseInstant((await value(call.getClock())).at),
      freeze: async (at, jump = {}) =>
        done(call.setClock({ body: toBody({ ...placed(at), ...jump, mode: "frozen" }) })),
      set: async (at, jump = {}) => done(call.setClock({ body: toBody({ ...placed(at), ...jump }) })),
      advance: async (by) => done(call.advanceClock({ body: { by } })),
      resume: async () => done(call.setClock({ body: { mode: "ticking" } })),
    },
    mailbox: {
      messages: (filter = {}) => value(call.listMails({ query: toQuery(filter) })),
      async waitFor(filter: MessageFilter = {}, { within = "2s" } = {}) {
        const [first] = await value(call.listMails({ query: toQuery({ ...filter, within }) }));
        if (first === undefined) throw new UsageError("timedOut", `No mail came within ${within}.`);
        return first;
      },
      clear: () => done(call.clearMails()),
    },
    journal: {
      list: (matcher = {}) => exchanges(matcher),
      count: async (matcher = {}) =>
        (await value(call.countExchanges({ query: writeMatcherQuery(matcher) }))).count,
      async waitFor(matcher, { within } = {}) {
        const seen = await value(call.waitForExchange({ body: toBody({ ...matcher, within }) }));
        return seen as object as RecordedExchange;
      },
      verify: (expectation) => value(call.verifyExpectation({ body: toBody(expectation) })),
      clear: () => done(call.clearJournal()),
    },
    rules: {
      list: rules,
      remove: (id) => done(call.removeRule({ params: { id } })),
    },
    gates: {
      waiting: () => value(call.listWaiting()),
      held: () => value(call.listWaiting()),
      async release(name, exchange) {
        const { released } = await value(call.releaseGate({ params: { name }, body: toBody({ exchange }) }));
        return released;
      },
    },
    use: async (rule) => (await value(call.addRule({ body: rule }))).id,
    // The values are objects, as typed.
    scenario: (given) =>
      done(call.putScenario({ body: [given].flat() as (string | Record<string, unknown>)[] })),
    addScenario: (given) =>
      done(call.addScenario({ body: [given].flat() as (string | Record<string, unknown>)[] })),
    report: () => value(call.getReport()),
    verify: async () => passed(await value(call.getReport())),
    coverage: { data: () => value(call.getCoverage()) },
    lint: () => value(call.getLint()),
    capsule: async () => (await value(call.getCapsule())) as unknown as Capsule, // whole, though its schema describes less
    har: () => value(call.getHar()),
    auth: {
      token: async (options = {}) => (await value(call.createToken({ body: options }))).token,
      keys: (environment = "account") => value(call.getJwks({ params: { environment } })),
    },
    usage: { record: (usage) => value(call.recordUsage({ body: usage })) },
    data: Object.fromEntries(
      services.flatMap(({ environments, collections }) =>
        environments.map(({ key: service }) => {
          const entries = Object.entries(collections).map(([collection, { key }]) => {
            const params = { service, collection };
            const all = () => value(call.getData({ params }));
            const verbs: CollectionControls = {
              all,
              get: async (wanted) => (await all()).find((entity) => key(entity) === wanted),
              upsert: (entities) => done(call.patchData({ params, body: { upsert: toEntities(entities) } })),
              replace: (entities) => done(call.putData({ params, body: toEntities(entities) })),
              remove: (keys) => done(call.patchData({ params, body: { remove: keys } })),
            };
            return [collection, verbs] as const;
          });
          return [service, Object.fromEntries(entries)] as const;
        }),
      ),
    ),
    reset: () => done(call.reset()),
    snapshot: (name) => value(call.createSnapshot({ body: name === undefined ? {} : { name } })),
    restore: (snapshot) =>
      done(call.restoreSnapshot({ params: { id: typeof snapshot === "string" ? snapshot : snapshot.id } })),
    async fork(name) {
      const { id } = await value(call.createWorld({ body: name === undefined ? {} : { name } }));
      return remoteControls({ ...options, world: id });
    },
    record: async () => (await value(call.getRecord())) as unknown as WorldRecord, // whole, though its schema describes less
    state: () => value(call.getState()),
    async close() {
      // The main world is not ours to delete.
      if (world !== "main") await done(call.deleteWorld({ params: { id: world } }));
    },
  };
}

type ControlClient = Client<typeof controlOperations>;

/** The client that the operations give, which are loaded with the first call. */
function controlClient(send: Send): ControlClient {
  let client: Promise<ControlClient> | undefined;
  const load = async (): Promise<ControlClient> =>
    createClient((await import("./index.ts")).controlOperations, send);
  return new Proxy({} as ControlClient, {
    get: (_target, key: keyof ControlClient) => async (request: never) => {
      client ??= load();
      return (await client)[key](request);
    },
  });
}

/** The body of a success; anything else is thrown as the UsageError that the verb throws in process. */
async function value<T>(reply: Promise<Reply<T>>): Promise<T> {
  const answer = await reply;
  if (answer.ok) return answer.body;
  const unclear = `The sandbox answered ${answer.status}.`;
  const { code = "badOption", detail = unclear, pointer } = Problem.catch({}).parse(answer.body);
  // An unknown code comes from another version; it is passed on as it is.
  throw new UsageError(code as UsageCode, detail, detail.includes(pointer ?? "") ? {} : { pointer });
}

async function done(reply: Promise<Reply<unknown>>): Promise<void> {
  await value(reply);
}

const Problem = z.object({ code: z.string(), detail: z.string(), pointer: z.string() }).partial();

function placed(at: string | Date | undefined): { at?: string } {
  return at === undefined ? {} : { at: at instanceof Date ? toIso(at.getTime()) : at };
}

/** Without undefined members, and with dates as text. */
function toBody<T extends object>(filter: T): { readonly [K in keyof T]: Exclude<T[K], Date> } {
  const entries = Object.entries(filter).filter(([, one]) => one !== undefined);
  const written = entries.map(([name, one]) => [name, one instanceof Date ? toIso(one.getTime()) : one]);
  return Object.fromEntries(written); // dates became texts; all else is as in the filter
}

/** The same for a query. */
function toQuery<T extends object>(filter: T): { readonly [K in keyof T]: string } {
  return toBody(filter) as { readonly [K in keyof T]: string }; // the client writes numbers and lists itself
}

/** Entities are sent as they are; the sandbox checks them. */
function toEntities(entities: readonly unknown[]): Record<string, unknown>[] {
  return entities as Record<string, unknown>[];
}
