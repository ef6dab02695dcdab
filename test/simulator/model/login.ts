// The model of the sign-in: one token in 24 hours, counted from when it was handed out.

import type { AccountKey } from "../operations.ts";
import type { Asked, Expected, Learn, Worked } from "./life.ts";
import { type Identity, type Login, type Moment, withAccount } from "./moment.ts";
import { refuse } from "./refusals.ts";
import type { Tokens } from "./tokens.ts";

const WINDOW_MS = 86_400_000;

type Fields = Readonly<Record<string, unknown>>;

export function checkLogin({ media, value }: Asked): Expected | undefined {
  if (media !== "application/json") return refuse("pathNotFound");
  const fields = (typeof value === "object" && value !== null ? value : {}) as Fields; // read by name below
  const isGood = typeof fields["email"] === "string" && typeof fields["password"] === "string";
  return isGood ? undefined : refuse("malformedLogin");
}

export function logIn(moment: Moment, asked: Asked, at: number, tokens: Tokens, learn: Learn): Worked {
  const key = asked.environment as AccountKey; // only the account has a login
  const { email, password } = asked.value as { email: string; password: string }; // checked above
  const identity = moment[key].identities.find(({ name }) => name === email.toLowerCase());
  if (identity === undefined || identity.disabled === true || identity.password !== password)
    return { moment, expected: refuse("badCredentials") };
  const last = blocking(moment[key].logins, identity, at);
  const { onRepeat } = moment.settings;
  if (last !== undefined && onRepeat === "refuse") {
    const wait = String(Math.ceil((dueAfter(last) - at) / 1_000));
    return { moment, expected: { ...refuse("loginThrottled"), headers: { "retry-after": wait } } };
  }
  const isKept =
    last !== undefined &&
    onRepeat === "same-token" &&
    tokens.judge(last.token, asked, at).problem === undefined;
  return isKept
    ? { moment, expected: { status: 200, body: { token: last.token } } }
    : handOut(moment, asked, identity, at, learn);
}

/** Counted from the whole second that the token has as its `iat`. */
function dueAfter({ at }: Login): number {
  return secondOf(at) + WINDOW_MS;
}

function secondOf(at: number): number {
  return Math.floor(at / 1_000) * 1_000;
}

/** The login that keeps the next one waiting; one that the clock has not come to again does not count. */
function blocking(logins: readonly Login[], { uid }: Identity, at: number): Login | undefined {
  const counting = logins.filter(
    (one) => one.uid === uid && secondOf(one.at) <= secondOf(at) && at < dueAfter(one),
  );
  return counting.reduce<Login | undefined>(
    (latest, one) => (latest === undefined || one.at >= latest.at ? one : latest),
    undefined,
  );
}

function handOut(moment: Moment, asked: Asked, identity: Identity, at: number, learn: Learn): Worked {
  const key = asked.environment as AccountKey;
  const iat = Math.floor(at / 1_000);
  const exp = iat + Math.ceil(moment.settings.tokenMs / 1_000);
  const { name: username, uid, roles } = identity;
  const token = String(learn(`${key}.token`, [username, String(iat), String(exp)], 0)["token"]);
  const logins = [...moment[key].logins, { uid, at, token }];
  const expected = { status: 200, claims: { iat, exp, roles, username, uid } };
  return { moment: withAccount(moment, key, { logins }), expected };
}

/** When the next login of somebody is due, for all that wait. */
export function dues({ logins }: { readonly logins: readonly Login[] }): readonly number[] {
  return logins.map(dueAfter);
}
