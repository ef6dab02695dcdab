// The refusals of the account: status and text of each problem, as the document's conventions have them.

import type { Expected } from "./life.ts";

type Text = readonly [status: number, text?: string];
/** The problems that the model knows. */
export const TEXTS = {
  tokenMissing: [401, "JWT Token not found"],
  tokenInvalid: [401],
  tokenExpired: [401, "Expired JWT Token"],
  badCredentials: [401, "Invalid credentials."],
  accessDenied: [403],
  invalidPage: [400],
  malformedBody: [400],
  malformedLogin: [400],
  consumptionNotFound: [404],
  preSaleNotFound: [404],
  preSaleActionNotFound: [404],
  userNotFound: [404],
  pathNotFound: [404],
  notAcceptable: [406],
  unsupportedMedia: [415],
  invalidAction: [422],
  unknownPreSale: [422],
  invalidProfile: [422],
  weakPassword: [422],
  loginThrottled: [429],
} satisfies Readonly<Record<string, Text>>;
const texts: Readonly<Record<string, Text>> = TEXTS;

/** Tokens and logins are refused with `code` and `message`. */
export function refuse(problem: string, fields: readonly string[] = []): Expected {
  const [status, text] = texts[problem] ?? [Number.NaN];
  const isSignIn = status === 401 || status === 429;
  const body = isSignIn ? { code: status, ...(text === undefined ? {} : { message: text }) } : undefined;
  return { status, problem, fields, ...(body === undefined ? {} : { body }) };
}
