/** Routes `https://<host>/<team>/~<world>/…` to the world's Durable Object. Responds with 404 for an unknown team. */

import { describeUnknown } from "../../errors/nearest.ts";
import { UsageError } from "../../errors/usage-error.ts";
import { createSandboxProblem } from "../../http/problem-json.ts";
import { isControlPath, readBearer } from "../../pipeline/guard.ts";
import { toResponse } from "../../pipeline/outgoing-response.ts";
import { toHex } from "../../world/bytes.ts";
import { getPlatform } from "../../world/platform.ts";
import { isWorldName, MAIN_WORLD, splitWorld } from "../../world/world-name.ts";
import type { Bindings } from "./durable-objects.ts";
import { DEFAULT_LIMITS, type Hosting, type Limits, type TeamOptions } from "./hosting.ts";
import { getWorldObject } from "./other-worlds.ts";

export type Team = {
  /** SHA-256 of each control token of the team, in hexadecimal digits. */
  readonly tokens: readonly string[];
  /** Limits that differ from `DEFAULT_LIMITS`. */
  readonly limits?: Partial<Limits> | undefined;
};

export type Teams = Readonly<Record<string, Team>>;

/** Pattern of team names. Any client with a team's name can call the services, so names must be as hard to guess as keys. */
const TEAM_NAME = /^[A-Za-z0-9_-]{16,100}$/;
const TOKEN_HASH = /^[0-9a-f]{64}$/;

/** Headers that proxies add to a request, or that only apply to one connection. */
const HOP_HEADERS = /^(cf-.+|cdn-loop|x-forwarded-.+|x-real-ip|true-client-ip|connection|keep-alive)$/;

export class Gateway {
  readonly #teams: ReadonlyMap<string, Omit<Hosting, "world">>;

  /** Throws a UsageError if the name, tokens or limits of a team are invalid. */
  constructor(teams: Teams, options: TeamOptions) {
    this.#teams = new Map(
      Object.entries(teams).map(([team, { tokens, limits = {} }]) => {
        assertTeam(team, tokens, limits);
        return [team, { team, tokens, limits: { ...DEFAULT_LIMITS, ...limits }, options }];
      }),
    );
  }

  async answer(request: Request, bindings: Bindings): Promise<Response> {
    const { pathname } = new URL(request.url);
    const [, segment = "", rest = ""] = /^\/([^/]*)(.*)$/s.exec(pathname) ?? [];
    const team = this.#teams.get(segment);
    const { name, rest: path } = splitWorld(rest);
    const token = isControlPath(path) ? readBearer(request.headers) : undefined;
    if (team === undefined || this.#isForeignToken(team, token))
      return toResponse(createSandboxProblem(404, `Not found: ${pathname}.`));
    const requested = name ?? request.headers.get("x-vitrine-world") ?? MAIN_WORLD;
    const world = isWorldName(requested) ? requested : MAIN_WORLD; // The main world sends the error for the invalid name.
    try {
      return await getWorldObject(bindings, segment, world).answer(withoutHops(request), { ...team, world });
    } catch {
      const why = `The world ${world} was interrupted by a restart or an overload. Retry the request.`;
      return toResponse(createSandboxProblem(503, why, { "retry-after": "1" }));
    }
  }

  /** Whether the token belongs to another team. That team gets a 404, so that it cannot detect this team. */
  #isForeignToken({ tokens }: Pick<Hosting, "tokens">, token: string | undefined): boolean {
    if (token === undefined) return false;
    const hash = toHex(getPlatform().digest(token));
    return !tokens.includes(hash) && [...this.#teams.values()].some((other) => other.tokens.includes(hash));
  }
}

function assertTeam(team: string, tokens: readonly string[], limits: Partial<Limits>): void {
  const reject = (message: string): never => {
    throw new UsageError("badOption", `teams: ${message}`);
  };
  if (!TEAM_NAME.test(team))
    reject(`${JSON.stringify(team)} is not 16 to 100 letters, digits, dashes and underscores.`);
  if (tokens.length === 0) reject(`${team} has no tokens. Add at least one.`);
  if (!tokens.every((hash) => TOKEN_HASH.test(hash)))
    reject(`tokens of ${team}: each is the SHA-256 of a token, 64 hexadecimal digits in lower case.`);
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name))
      reject(describeUnknown("limit", name, Object.keys(DEFAULT_LIMITS)));
    if (!Number.isSafeInteger(value) || value < 1)
      reject(`${name} of ${team} must be a whole number from 1.`);
  }
}

/** Removes headers of proxies, and restores the client's Accept-Encoding, which Cloudflare replaces. */
function withoutHops(request: Request): Request {
  const headers = new Headers([...request.headers].filter(([name]) => !HOP_HEADERS.test(name)));
  const { cf } = request as { readonly cf?: { readonly clientAcceptEncoding?: string } };
  const encodings = cf?.clientAcceptEncoding;
  if (encodings === "") headers.delete("accept-encoding");
  else if (encodings !== undefined) headers.set("accept-encoding", encodings);
  return new Request(request, { headers });
}
