/** Problems of the account service. Assumed: messages that the document does not show are those of API Platform and Lexik JWT (PHP). */

import {
  type Catalogue,
  defineProblems,
  NOT_STORED,
  type ProblemDefinition,
  SERVER_ERROR,
  STORAGE_FULL,
} from "../../operation/problem.ts";
import { buildLengthConstraint, constraints } from "./constraints.ts";
import type { AccountSettings } from "./settings.ts";

const ERRORS = "common-account-billing, Errors";
const UNAUTHORIZED = {
  status: 401,
  headers: { "WWW-Authenticate": "Bearer" },
  source: "common-account-billing, Authentication; Assumed: The body is as in Lexik JWT, a PHP library.",
} as const;
const NOT_FOUND = {
  status: 404,
  title: "Not Found",
  when: "The resource is missing or belongs to another user.",
  source: `${ERRORS}, 404 resource not found`,
} as const;
const EXISTS = "Assumed: The service has this error.";
const MEDIA_TYPES = "common-account-billing, Media types; Assumed: The status is as in RFC 9110.";
const UNPROCESSABLE = `${ERRORS}, 422 unprocessable entity`;
const BROKEN = "A field is missing or invalid. All such fields are listed.";
const INVALID = { status: 422, title: "An error occurred", source: UNPROCESSABLE } as const;

export const problems = defineProblems({
  malformedBody: {
    status: 400,
    title: "Syntax error",
    when: "The body is not a JSON object, or a field has the wrong JSON type.",
    source: `${ERRORS}, 400 invalid input`,
  },
  malformedTarget: {
    status: 400,
    title: "Bad Request",
    source: "Assumed: Occurs if the path has invalid percent-encoding.",
  },
  invalidPage: {
    status: 400,
    title: "Page should not be less than 1",
    when: "`page` is below 1, or not a number.",
    source: "Assumed: Occurs if `page` is below 1, or not a number.",
  },
  invalidFilter: {
    status: 400,
    title: "The filter must be a whole number.",
    when: "A filter is not a whole number.",
    source: "Assumed: Occurs only with `badFilter` = `refuse`.",
  },
  malformedLogin: {
    status: 400,
    title: "Bad Request",
    when: "The body is not a JSON object with the strings `email` and `password`.",
    source: "Assumed: Occurs if `email` or `password` is not a string.",
  },
  tokenMissing: {
    ...UNAUTHORIZED,
    title: "JWT Token not found",
    when: "The header `Authorization: Bearer <token>` is missing.",
  },
  tokenInvalid: {
    ...UNAUTHORIZED,
    title: "Invalid JWT Token",
    when: "The token is malformed, modified, or from another environment.",
  },
  tokenExpired: { ...UNAUTHORIZED, title: "Expired JWT Token", when: "The token has expired: log in again." },
  badCredentials: {
    ...UNAUTHORIZED,
    title: "Invalid credentials.",
    when: "The user or password is wrong, or the user is disabled or deleted.",
  },
  accessDenied: {
    status: 403,
    title: "Access Denied.",
    when: "The token lacks the role of a user.",
    source: "Assumed: Occurs if the token lacks the role `ROLE_WRITER`.",
  },
  consumptionNotFound: NOT_FOUND,
  preSaleNotFound: NOT_FOUND,
  preSaleActionNotFound: NOT_FOUND,
  userNotFound: NOT_FOUND,
  pathNotFound: {
    status: 404,
    title: "Not Found",
    when: "The media type of the body is not JSON, which the login requires.",
    source: EXISTS,
  },
  unknownFormat: {
    status: 404,
    title: "Format is not supported",
    source: "Assumed: Occurs for a path that ends in an unknown format, such as `.xml`.",
  },
  methodNotAllowed: { status: 405, title: "Method Not Allowed", source: EXISTS },
  notAcceptable: {
    status: 406,
    title: "Not Acceptable",
    when: "`Accept` allows none of the media types of this operation.",
    source: MEDIA_TYPES,
  },
  serverError: SERVER_ERROR,
  notStored: { ...NOT_STORED, title: "Service Unavailable" },
  storageFull: { ...STORAGE_FULL, title: "Insufficient Storage" },
  bodyTooLarge: {
    status: 413,
    title: "Content Too Large",
    when: "The body is larger than 1 MiB.",
    source: "Assumed: The limit is 1 MiB.",
  },
  unsupportedMedia: {
    status: 415,
    title: "Unsupported Media Type",
    when: "The media type of the body is missing or not listed above.",
    source: MEDIA_TYPES,
  },
  invalidAction: { ...INVALID, when: BROKEN, issues: [{ path: ["target"], ...constraints.Email }] },
  unknownPreSale: {
    ...INVALID,
    when: "The user has no presale with this `pre_sale_uuid`.",
    issues: [{ path: ["pre_sale_uuid"], ...constraints.UnknownPreSale }],
    source: `${UNPROCESSABLE}; Assumed: The service has this error.`,
  },
  invalidProfile: {
    ...INVALID,
    when: BROKEN,
    issues: [{ path: ["invoicing_country"], ...buildLengthConstraint(255) }],
  },
  weakPassword: {
    ...INVALID,
    when: "The password does not follow the rule in its description.",
    issues: [{ path: ["password"], ...constraints.Regex }],
    source: `${ERRORS}, 422 unprocessable entity and Password change input`,
  },
  loginThrottled: {
    status: 429,
    title: "A token can be requested once every 24 hours.",
    when: "The previous token was issued too recently.",
    headers: { "Retry-After": "86400" },
    source: "common-account-billing, Limits; Assumed: The status is 429, with `Retry-After`.",
  },
});

/** Returns the status of a problem: a setting for the problems `loginThrottled` and `unknownPreSale`, otherwise `usual`. */
export function getAccountStatus(key: string, usual: number, settings: AccountSettings): number {
  if (key === "loginThrottled") return settings.login.status;
  return key === "unknownPreSale" ? settings.unknownPreSale : usual;
}

export function buildAccountProblems(settings: AccountSettings): Catalogue {
  const when = describeConditions(settings);
  const entries = Object.entries(problems).map(([key, problem]) => {
    const status = getAccountStatus(key, problem.status, settings);
    return [key, { ...problem, ...when[key], status }] as const;
  });
  return Object.fromEntries(entries);
}

type Conditions = Readonly<Record<string, Pick<ProblemDefinition, "when">>>;

const NEVER = { when: "Only if a rule simulates it: the current settings never cause it." };

function describeConditions({ typeErrors, badPage, badFilter, login }: AccountSettings): Conditions {
  return {
    ...(typeErrors === 422 ? { malformedBody: { when: "The body is not a JSON object." } } : {}),
    ...(badPage === "first" ? { invalidPage: NEVER } : {}),
    ...(badFilter === "ignore" ? { invalidFilter: NEVER } : {}),
    ...(login.onRepeat !== "refuse" ? { loginThrottled: NEVER } : {}),
  };
}
