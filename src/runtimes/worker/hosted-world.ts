/** One world in one Durable Object: read from its storage, kept there, and bounded in what a request may cost. */

import { UsageError } from "../../errors/usage-error.ts";
import { createSandboxProblem } from "../../http/problem-json.ts";
import type { CoverageRecord } from "../../journal/coverage.ts";
import type { EventStrings, Service } from "../../operation/service.ts";
import { receive } from "../../pipeline/broken-reply.ts";
import type { Commit } from "../../pipeline/commit.ts";
import type { Access } from "../../pipeline/guard.ts";
import { isEvents, type OutgoingResponse, toResponse } from "../../pipeline/outgoing-response.ts";
import { WebRequest } from "../../pipeline/web-request.ts";
import type { FaultKind } from "../../rules/effect.ts";
import { bindSandbox } from "../../sandbox/binding.ts";
import type { LocalSandbox } from "../../sandbox/controls.ts";
import { readRecord, type WorldRecord } from "../../sandbox/record.ts";
import type { Replacement } from "../../sandbox/sandbox-state.ts";
import type { Server } from "../../server/server.ts";
import { toHex } from "../../world/bytes.ts";
import { isSameSecret } from "../../world/identities.ts";
import { getPlatform } from "../../world/platform.ts";
import { clearTimeout, setTimeout } from "../../world/timers.ts";
import { MAIN_WORLD } from "../../world/world-name.ts";
import type { Bindings, ObjectContext, WorldCalls } from "./durable-objects.ts";
import type { Hosting, TeamOptions } from "./hosting.ts";
import { IdleTimer } from "./idle-timer.ts";
import { getTeamObject, getWorldObject, OtherWorlds, withOtherWorlds, writeFork } from "./other-worlds.ts";
import { TextRows } from "./rows.ts";
import { StoredJournal } from "./stored-journal.ts";
import { StoredWorld } from "./stored-world.ts";

/** What a sandbox is given that has one world of many in it. */
export type HostedOptions = {
  /** Its name. */
  readonly world: string;
  /** What it goes on from, in place of base data and options. */
  readonly state: Replacement | undefined;
  readonly commit: Commit;
  readonly isControlToken: NonNullable<Access["isControlToken"]>;
  /** The wire faults that can be played. */
  readonly faults: readonly FaultKind[];
};

/** A sandbox with that one world. */
type OpenWorld = LocalSandbox & { readonly server: Server };
export type OpenHosted = (options: TeamOptions, hosted: HostedOptions) => Promise<OpenWorld>;

/** The runtime ends the connection as it likes; what it leaves alone is how long a body takes. */
const SUPPORTED_FAULTS: readonly FaultKind[] = ["hang", "slow-close", "dribble"];
/** After one row of exchanges others wait so long for more of them. An idle object stays in memory for longer. */
const BATCH_MS = 2_000;

export class HostedWorld implements WorldCalls {
  readonly #context: ObjectContext;
  readonly #bindings: Bindings;
  readonly #services: readonly Service[];
  readonly #open: OpenHosted;
  readonly #idleTimer: IdleTimer;
  readonly #stored: StoredWorld;
  readonly #journal: StoredJournal;
  readonly #pace = new RateLimiter();
  #opened: OpenWorld | undefined;
  /** When the object is woken, as far as is known. */
  #alarm = Number.POSITIVE_INFINITY;
  /** The newest streams of events, the oldest first. Some may have ended. */
  readonly #streams: EventStrings[] = [];
  /** When an exchange was written last that others may follow. */
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(
    context: ObjectContext,
    bindings: Bindings,
    { services, open }: { readonly services: readonly Service[]; readonly open: OpenHosted },
  ) {
    const { sql } = context.storage;
    this.#context = context;
    this.#bindings = bindings;
    this.#services = services;
    this.#open = open;
    this.#idleTimer = new IdleTimer(sql);
    this.#stored = new StoredWorld(services, new TextRows(sql, "state"));
    const onWaiting = (isRow: boolean): void => this.#writeBehind(isRow, Date.now());
    this.#journal = new StoredJournal(new TextRows(sql, "journal"), onWaiting);
  }

  async answer(request: Request, hosting: Hosting): Promise<Response> {
    const { limits, team } = hosting;
    const opened = await this.#openWorld(hosting).catch(toStorageResponse);
    if (opened instanceof Response) return opened;
    if (opened === undefined) {
      const main = { ...hosting, world: MAIN_WORLD };
      return getWorldObject(this.#bindings, team, MAIN_WORLD).answer(request, main); // which knows what to say
    }
    this.#touch(hosting);
    const { core, server } = opened;
    if (!this.#pace.admits(Date.now(), limits.requestsPerSecond)) {
      const most = `The limit of ${limits.requestsPerSecond} requests a second to one world is reached.`;
      return toResponse(createSandboxProblem(429, most, { "retry-after": "1" }));
    }
    const { waitSeconds } = limits;
    const answered = await withTimeout(waitSeconds, (signal) => {
      const asked = new WebRequest(new Request(request, { signal }));
      server.addresses.bind(asked.address.origin); // the runtime leads here what the team's routes name
      return server.answerUnder(`/${team}`, asked);
    });
    const sent = this.#limitStreams(limitDribble(answered, waitSeconds), limits.eventStreams);
    const { parserErrors } = server.runtime;
    const arrived = await withTimeout(waitSeconds, (signal) =>
      receive(sent, () => ({ signal, world: core.world, parserErrors })),
    );
    return arrived instanceof Response ? arrived : toResponse(arrived);
  }

  async forked(hosting: Hosting): Promise<string | undefined> {
    const opened = await this.#openWorld(hosting);
    return opened && JSON.stringify(writeFork(opened.core));
  }

  async become(text: string, hosting: Hosting): Promise<void> {
    const record = JSON.parse(text) as WorldRecord; // written by another object of ours
    this.#touch(hosting);
    const opened = await this.#openWorld(hosting);
    if (opened !== undefined) {
      opened.core.replace(readRecord(record));
      await this.#stored.flush(opened.core, undefined);
      return;
    }
    this.#stored.put(hosting.world, record);
    await this.#openWorld(hosting, readRecord(record));
    this.#journal.flush();
  }

  async met(): Promise<readonly CoverageRecord[]> {
    this.#journal.flush();
    return this.#opened?.core.coverage.toRecord() ?? this.#journal.met(this.#services);
  }

  async end(): Promise<readonly CoverageRecord[]> {
    const met = await this.met();
    this.#opened?.core.end();
    this.#opened = undefined;
    this.#stored.leave();
    this.#journal.leave();
    this.#idleTimer.leave();
    this.#alarm = Number.POSITIVE_INFINITY;
    await this.#context.storage.deleteAlarm();
    await this.#context.storage.deleteAll();
    return met;
  }

  /** Writes what waits, and ends the world when nobody has called it for too long. */
  async alarm(now = Date.now()): Promise<void> {
    this.#alarm = Number.POSITIVE_INFINITY;
    this.#journal.flush();
    const { known, end } = this.#idleTimer;
    if (known === undefined || end === undefined) return;
    if (now < end) return this.#wakeAt(end);
    await getTeamObject(this.#bindings, known.team).leave(known.world, await this.end());
  }

  /** The world, if there is one; the main world always is. */
  async #openWorld(hosting: Hosting, given?: Replacement): Promise<OpenWorld | undefined> {
    if (this.#opened !== undefined) return this.#opened;
    const state = given ?? this.#stored.read(); // not below: the runtime resets an object whose start fails
    return this.#context.blockConcurrencyWhile(async () => {
      if (this.#opened !== undefined) return this.#opened;
      if (state === undefined && hosting.world !== MAIN_WORLD) return undefined;
      const { world, tokens, limits, options } = hosting;
      const isControlToken = (token: string): boolean => isKnownToken(tokens, token);
      const [commit, faults] = [this.#stored, SUPPORTED_FAULTS];
      const opened = await this.#open(options, { world, state, commit, isControlToken, faults });
      const { core } = opened;
      this.#stored.follow(core, limits.worldSize);
      this.#journal.follow(core);
      const others = new OtherWorlds(opened, hosting, this.#bindings, () => this.end());
      bindSandbox(core.world, withOtherWorlds(opened, others));
      this.#alarm = (await this.#context.storage.getAlarm()) ?? Number.POSITIVE_INFINITY;
      this.#opened = opened;
      return opened;
    });
  }

  #touch({ team, world, options }: Hosting): void {
    if (world === MAIN_WORLD) return;
    if (this.#idleTimer.use(team, world, options.worldIdle, Date.now()))
      this.#wakeAt(this.#idleTimer.end ?? 0);
  }

  /** A lonely exchange and a full row are written as soon as the reply has left, by an alarm those that are left over. */
  #writeBehind(isRow: boolean, now: number): void {
    const isLonely = now - this.#writtenAt >= BATCH_MS;
    if (isLonely) this.#writtenAt = now;
    if (isLonely || isRow) setTimeout(() => this.#journal.flush(), 0);
    else this.#wakeAt(now + BATCH_MS);
  }

  /** There is one alarm: the next that is wanted. */
  #wakeAt(at: number): void {
    if (at >= this.#alarm) return;
    this.#alarm = at;
    void this.#context.storage.setAlarm(at);
  }

  /** Ends the oldest streams beyond the limit: an object does not learn that a client has gone. */
  #limitStreams(sent: OutgoingResponse, limit: number): OutgoingResponse {
    if (!isEvents(sent.body)) return sent;
    this.#streams.push(sent.body);
    if (this.#streams.length > limit) void this.#streams.shift()?.return?.();
    return sent;
  }
}

function toStorageResponse(error: unknown): Response {
  if (error instanceof UsageError) return toResponse(createSandboxProblem(503, error.message));
  throw error;
}

/** A body that comes bit by bit takes no longer than a request may wait. */
function limitDribble(sent: OutgoingResponse, seconds: number): OutgoingResponse {
  const { fault } = sent;
  if (fault?.kind !== "dribble") return sent;
  return { ...sent, fault: { ...fault, overMs: Math.min(fault.overMs, seconds * 1000) } };
}

/** Takes as long for the wrong token as for the right one. */
function isKnownToken(hashes: readonly string[], token: string): boolean {
  const given = toHex(getPlatform().digest(token));
  return hashes.map((hash) => isSameSecret(given, hash)).includes(true);
}

const BURST_SECONDS = 10;

class RateLimiter {
  #saved = Number.POSITIVE_INFINITY;
  #at = 0;

  /** True for a request that may pass now, in milliseconds since 1970. */
  admits(now: number, perSecond: number): boolean {
    const gained = (Math.max(0, now - this.#at) / 1000) * perSecond;
    this.#saved = Math.min(this.#saved + gained, BURST_SECONDS * perSecond);
    this.#at = now;
    if (this.#saved < 1) return false;
    this.#saved -= 1;
    return true;
  }
}

/** The answer of `act`, or after so many seconds a 503; `act` then finds its signal aborted, as by a client that has left. */
function withTimeout<T>(
  seconds: number,
  act: (signal: AbortSignal) => T | Promise<T>,
): T | OutgoingResponse | Promise<T | OutgoingResponse> {
  const stop = new AbortController();
  const answer = act(stop.signal);
  if (!(answer instanceof Promise)) return answer;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const message = `This request has waited for ${seconds} s, the longest that it may.`;
      resolve(createSandboxProblem(503, message));
      stop.abort();
    }, seconds * 1000);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
