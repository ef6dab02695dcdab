/**
 * The problems of the account service and their reasons. Texts are those of services of this style (API Platform
 * with Lexik JWT); where the document is silent, they are Assumed.
 */

import { defineProblems } from "../../operation/problem.ts";
import { constraints, tooLong } from "./constraints.ts";

const ERRORS = "common-account-billing, Errors";
const TOKEN = "common-account-billing, Authentication; Assumed: status and text (Lexik JWT).";

export const problems = defineProblems({
  malformedBody: { status: 400, title: "Syntax error", source: `${ERRORS}, 400 invalid input` },
  malformedTarget: {
    status: 400,
    title: "Bad Request",
    source: "Assumed: a path or query whose percent-encoding is broken.",
  },
  invalidPage: {
    status: 400,
    title: "Page should not be less than 1",
    source: "Assumed: API Platform refuses such a page.",
  },
  invalidFilter: {
    status: 400,
    title: "The filter must be a whole number.",
    source: "Assumed: only with the setting badFilter.",
  },
  malformedLogin: { status: 400, title: "Bad Request", source: "Assumed: Symfony json_login." },
  tokenMissing: {
    status: 401,
    title: "JWT Token not found",
    headers: { "WWW-Authenticate": "Bearer" },
    source: TOKEN,
  },
  tokenInvalid: {
    status: 401,
    title: "Invalid JWT Token",
    headers: { "WWW-Authenticate": "Bearer" },
    source: TOKEN,
  },
  tokenExpired: {
    status: 401,
    title: "Expired JWT Token",
    headers: { "WWW-Authenticate": "Bearer" },
    source: TOKEN,
  },
  badCredentials: {
    status: 401,
    title: "Invalid credentials.",
    headers: { "WWW-Authenticate": "Bearer" },
    source: TOKEN,
  },
  accessDenied: { status: 403, title: "Access Denied.", source: "Assumed: a role is missing." },
  consumptionNotFound: { status: 404, title: "Not Found", source: `${ERRORS}, 404 resource not found` },
  preSaleNotFound: { status: 404, title: "Not Found", source: `${ERRORS}, 404 resource not found` },
  preSaleActionNotFound: { status: 404, title: "Not Found", source: `${ERRORS}, 404 resource not found` },
  userNotFound: { status: 404, title: "Not Found", source: `${ERRORS}, 404 resource not found` },
  pathNotFound: { status: 404, title: "Not Found", source: "Assumed: no such route." },
  methodNotAllowed: { status: 405, title: "Method Not Allowed", source: "Assumed: RFC 9110, 15.5.6." },
  notAcceptable: {
    status: 406,
    title: "Not Acceptable",
    source: "common-account-billing, Media types; Assumed: the status.",
  },
  notStored: {
    status: 503,
    title: "Service Unavailable",
    source: "Assumed: only where the sandbox stores its state and cannot.",
  },
  storageFull: {
    status: 507,
    title: "Insufficient Storage",
    source: "Assumed: only where the sandbox stores its state and the disk is full.",
  },
  bodyTooLarge: { status: 413, title: "Content Too Large", source: "Assumed: a limit of the sandbox." },
  unsupportedMedia: {
    status: 415,
    title: "Unsupported Media Type",
    source: "common-account-billing, Media types; Assumed: the status.",
  },
  invalidAction: {
    status: 422,
    title: "An error occurred",
    issues: [{ path: ["target"], ...constraints.Email }],
    source: `${ERRORS}, 422 unprocessable entity`,
  },
  unknownPreSale: {
    status: 422,
    title: "An error occurred",
    issues: [{ path: ["pre_sale_uuid"], ...constraints.UnknownPreSale }],
    source: `${ERRORS}, 422 unprocessable entity; Assumed: an unknown presale is one (not shown).`,
  },
  invalidProfile: {
    status: 422,
    title: "An error occurred",
    issues: [{ path: ["invoicing_country"], ...tooLong(255) }],
    source: `${ERRORS}, 422 unprocessable entity`,
  },
  weakPassword: {
    status: 422,
    title: "An error occurred",
    issues: [{ path: ["password"], ...constraints.Regex }],
    source: `${ERRORS}, 422 unprocessable entity; Resources and their fields, Password change input`,
  },
  loginThrottled: {
    status: 429,
    title: "A token can be requested once every 24 hours.",
    headers: { "Retry-After": "86400" },
    source: "common-account-billing, Limits; Assumed: status, text and Retry-After.",
  },
});
