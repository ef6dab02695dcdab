// The tokens of all worlds, as the model knows them: where each was handed out, to whom, for how long, and what is wrong
// with it.

import type { TokenDefect } from "../steps.ts";
import type { Asked } from "./life.ts";

export type Token = {
  readonly text: string;
  readonly world: string;
  readonly environment: string;
  readonly user: string;
  /** In seconds. */
  readonly iat: number;
  readonly exp: number;
  readonly defect?: TokenDefect;
};

/** What is wrong with these is seen by their time, or by where they are good. */
const ELSEWHERE: readonly TokenDefect[] = ["expired", "not-yet-valid", "other-environment"];
const DAY_SECONDS = 86_400;

export class Tokens {
  readonly #byText = new Map<string, Token>();

  add(token: Token): void {
    this.#byText.set(token.text, token);
  }

  all(): readonly Token[] {
    return [...this.#byText.values()];
  }

  /** Whose it is; and why it is refused, if it is. A token dies in the second that `exp` names. */
  judge(text: string, asked: Asked, at: number): { readonly user: string; readonly problem?: string } {
    const token = this.#byText.get(text);
    if (token === undefined) return { user: "", problem: "tokenInvalid" };
    const { user, iat, exp, world, environment, defect } = token;
    const now = Math.floor(at / 1_000);
    if (iat > now) return { user, problem: "tokenInvalid" };
    if (exp <= now) return { user, problem: "tokenExpired" };
    if (world !== asked.world || environment !== asked.environment) return { user, problem: "tokenInvalid" };
    if (defect === undefined || ELSEWHERE.includes(defect)) return { user };
    return { user, problem: defect === "wrong-roles" ? "accessDenied" : "tokenInvalid" };
  }
}

/** What a token with this defect says of its time; those that say nothing are never good. */
export function timesOf(defect: TokenDefect, at: number, lifeSeconds: number = DAY_SECONDS) {
  const now = Math.floor(at / 1_000);
  if (defect === "expired") return { iat: now - lifeSeconds, exp: now };
  if (defect === "not-yet-valid") return { iat: now + 3_600, exp: now + lifeSeconds + 3_600 };
  const isUnreadable = defect === "malformed" || defect === "huge";
  return isUnreadable ? { iat: 0, exp: Number.POSITIVE_INFINITY } : { iat: now, exp: now + lifeSeconds };
}
