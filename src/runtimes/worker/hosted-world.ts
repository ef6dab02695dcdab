/** Runs one world in one Durable Object: loads and stores its state, and limits the cost of each request. */

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

export type HostedOptions = {
  readonly world: string;
  /** Initial state. Undefined: the world starts with base data and the options of the team. */
  readonly state: Replacement | undefined;
  readonly commit: Commit;
  readonly isControlToken: NonNullable<Access["isControlToken"]>;
  /** Kinds of faults that this world can simulate. */
  readonly faults: readonly FaultKind[];
};

type OpenWorld = LocalSandbox & { readonly server: Server };
export type OpenHosted = (options: TeamOptions, hosted: HostedOptions) => Promise<OpenWorld>;

/** Faults that only delay the response, because a worker has no access to the connection. */
const SUPPORTED_FAULTS: readonly FaultKind[] = ["hang", "slow-close", "dribble"];
/** Maximum delay in ms before exchanges are written together. It is shorter than the time an idle Durable Object stays in memory. */
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
  /** Time of the next alarm, in ms since 1970. */
  #alarm = Number.POSITIVE_INFINITY;
  /** Event streams, oldest first. Includes streams that have ended. */
  readonly #streams: EventStrings[] = [];
  /** Time of the last immediate write of a single exchange. For `BATCH_MS` after it, exchanges are written together. */
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
    const onPending = (isRow: boolean): void => this.#scheduleWrite(isRow, Date.now());
    this.#journal = new StoredJournal(new TextRows(sql, "journal"), onPending);
  }

  async answer(request: Request, hosting: Hosting): Promise<Response> {
    const { limits, team } = hosting;
    const opened = await this.#openWorld(hosting).catch(toStorageResponse);
    if (opened instanceof Response) return opened;
    if (opened === undefined) {
      const main = { ...hosting, world: MAIN_WORLD };
      return getWorldObject(this.#bindings, team, MAIN_WORLD).answer(request, main); // The main world reports the error.
    }
    this.#touch(hosting);
    const { core, server } = opened;
    if (!this.#pace.admits(Date.now(), limits.requestsPerSecond)) {
      const detail = `The limit of ${limits.requestsPerSecond} requests per second and world is reached.`;
      return toResponse(createSandboxProblem(429, detail, { "retry-after": "1" }));
    }
    const { waitSeconds } = limits;
    const answered = await withTimeout(waitSeconds, (signal) => {
      const webRequest = new WebRequest(new Request(request, { signal }));
      server.addresses.bind(webRequest.address.origin); // The host is trusted: Cloudflare only delivers requests for this worker.
      return server.answerUnder(`/${team}`, webRequest);
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
    const record = JSON.parse(text) as WorldRecord; // Safe cast: another Durable Object of vitrine wrote the record.
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

  /** Called by the runtime at the time of the alarm. Writes pending exchanges, and ends the world if it has expired. */
  async alarm(now = Date.now()): Promise<void> {
    this.#alarm = Number.POSITIVE_INFINITY;
    this.#journal.flush();
    const { known, end } = this.#idleTimer;
    if (known === undefined || end === undefined) return;
    if (now < end) return this.#wakeAt(end);
    await getTeamObject(this.#bindings, known.team).leave(known.world, await this.end());
  }

  /** Opens the world. Returns undefined if it does not exist; the main world always exists. */
  async #openWorld(hosting: Hosting, given?: Replacement): Promise<OpenWorld | undefined> {
    if (this.#opened !== undefined) return this.#opened;
    const state = given ?? this.#stored.read(); // An error inside `blockConcurrencyWhile` would reset the Durable Object.
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

  /** Writes exchanges right after the response if they fill a row, or if `#writtenAt` is at least `BATCH_MS` ago. Else sets an alarm. */
  #scheduleWrite(isRow: boolean, now: number): void {
    const isSingle = now - this.#writtenAt >= BATCH_MS;
    if (isSingle) this.#writtenAt = now;
    if (isSingle || isRow) setTimeout(() => this.#journal.flush(), 0);
    else this.#wakeAt(now + BATCH_MS);
  }

  /** Sets the alarm, unless an earlier alarm is set. */
  #wakeAt(at: number): void {
    if (at >= this.#alarm) return;
    this.#alarm = at;
    void this.#context.storage.setAlarm(at);
  }

  /** Ends the oldest stream beyond the limit. Streams accumulate, because Cloudflare does not report disconnected clients. */
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

/** Limits the duration of a `dribble` fault to the request timeout. */
function limitDribble(sent: OutgoingResponse, seconds: number): OutgoingResponse {
  const { fault } = sent;
  if (fault?.kind !== "dribble") return sent;
  return { ...sent, fault: { ...fault, overMs: Math.min(fault.overMs, seconds * 1000) } };
}

/** Compares the hash of the token with all hashes in constant time. */
function isKnownToken(hashes: readonly string[], token: string): boolean {
  const given = toHex(getPlatform().digest(token));
  return hashes.map((hash) => isSameSecret(given, hash)).includes(true);
}

/** Maximum burst, in seconds: a client can send the unused requests of this time at the same moment. */
const BURST_SECONDS = 10;

class RateLimiter {
  #saved = Number.POSITIVE_INFINITY;
  #at = 0;

  /** Whether a request is within the limit. `now` is in ms since 1970. */
  admits(now: number, perSecond: number): boolean {
    const gained = (Math.max(0, now - this.#at) / 1000) * perSecond;
    this.#saved = Math.min(this.#saved + gained, BURST_SECONDS * perSecond);
    this.#at = now;
    if (this.#saved < 1) return false;
    this.#saved -= 1;
    return true;
  }
}

/** Returns the result of `act`. After the timeout, returns a 503 and aborts the signal. */
function withTimeout<T>(
  seconds: number,
  act: (signal: AbortSignal) => T | Promise<T>,
): T | OutgoingResponse | Promise<T | OutgoingResponse> {
  const stop = new AbortController();
  const answer = act(stop.signal);
  if (!(answer instanceof Promise)) return answer;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const message = `The request timed out after ${seconds} s.`;
      resolve(createSandboxProblem(503, message));
      stop.abort();
    }, seconds * 1000);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
