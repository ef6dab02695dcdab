/** Behavior that the account's document leaves open, mostly like API Platform with Lexik JWT. Printed in the manual. */

import type { Assumption } from "../../operation/service.ts";

export const assumptions: readonly Assumption[] = [
  {
    point: "a second login within 24 hours of a token",
    served: "429 with `Retry-After`; a failed login does not count",
    setting: "login",
  },
  { point: "token", served: "RS256, valid for exactly 24 hours", setting: "algorithm" },
  {
    point: "keys that verify tokens",
    served: "at `/_vitrine/jwks/{environment}`; tokens have no `kid`",
  },
  {
    point: "errors of tokens and logins",
    served: "401 with `code` and `message`, independent of `Accept`",
  },
  { point: "an invalid token on a public path", served: "ignored", setting: "strictTokens" },
  {
    point: "login with another media type; with a body that is not a JSON object",
    served: "404; 400",
  },
  { point: "visible data", served: "a user's own; other data is 404" },
  { point: "user ids other than `me`; the `id` field of a user", served: "404; the field does not exist" },
  {
    point: "media type without an `Accept` header",
    served: "JSON-LD; 406 if the client accepts none of the three",
  },
  { point: "a missing or other `Content-Type`", served: "415; the comparison is exact" },
  { point: "`charset` of the media type", served: "ignored, also at the login: a body is UTF-8" },
  {
    point: "error body",
    served: "API Platform 2.x in the negotiated media type",
    setting: "profile",
  },
  { point: "JSON-LD context of an item", served: "a link to the context document", setting: "itemContext" },
  { point: "URLs in `@id`, `Location` and links", served: "paths below the base URL of the request" },
  { point: "`text/html`", served: "a page with the plain fields" },
  { point: "the entry point as `application/json`", served: "JSON-LD with that media type" },
  { point: "security headers", served: "on every response, including routing errors" },
  { point: "entry point, contexts and documentation", served: "public", setting: "protectDocs" },
  { point: "resources in the entry point", served: "the three collections", setting: "entryPointUser" },
  {
    point: "a path with the suffix `.jsonld`, `.json` or `.html`",
    served: "that media type, also in links; other suffixes are 404",
  },
  { point: "presence of `hydra:view`", served: "if a collection has several pages, or a filter applies" },
  { point: "page size; a page after the last", served: "30; 200 without items", setting: "pageSize" },
  { point: "a `page` below 1 or not a number", served: "400", setting: "badPage" },
  { point: "a filter that is not a whole number", served: "ignored", setting: "badFilter" },
  {
    point: "a query with a broken escape, or not in UTF-8",
    served: "a stray `%` is literal; other bytes are Latin-1",
  },
  {
    point: "`year` with `year[]`, `month` with `month[]`",
    served: "the later wins. A list has alternatives; year and month must both match",
  },
  { point: "order of lists", served: "consumptions by month, latest first; others by creation" },
  { point: "format of amounts", served: "strings with two decimals and a dot" },
  {
    point: "format of timestamps",
    served: "RFC 3339 in UTC with a numeric offset, without fractions",
    setting: "dateTimes",
  },
  {
    point: "400 or 422",
    served: "400 for invalid JSON or a wrong type, 422 for a broken rule",
    setting: "typeErrors",
  },
  {
    point: "invalid JSON and its message",
    served: "those of PHP's parser: no byte order mark, no lone surrogate",
  },
  {
    point: "messages and codes of broken rules",
    served: "those of Symfony's constraints, all in one response",
  },
  { point: "null in a required field", served: "an error of the type", setting: "nulls" },
  {
    point: "threshold",
    served: "whole numbers from 0; negative numbers are 422, those above 2^53 - 1 are 400",
  },
  { point: "unknown and read-only fields in a body", served: "ignored" },
  { point: "JSON that is not an object", served: "400; a list counts as an object without fields" },
  { point: "case of UUIDs", served: "ignored in requests; lowercase in responses" },
  { point: "`uid` in a token", served: "a number" },
  {
    point: "PUT with missing fields",
    served: "required fields are 422, optional fields become null",
    setting: "profilePut",
  },
  {
    point: "an unknown presale in an action",
    served: "422; a UUID can have any version",
    setting: "unknownPreSale",
  },
  { point: "maximum length of a profile field", served: "255 characters" },
  {
    point: "usage that a presale pays for",
    served: "from `created_at` to `valid_until`, both included; the oldest pays first",
  },
  {
    point: "trigger of a presale action",
    served: "the credit drops below the threshold, once per drop",
    setting: "fireOnCreate",
  },
  { point: "duration of `running`", served: "5 seconds of simulated time", setting: "actionDuration" },
  { point: "price of an invoice", served: "0.25, sent or received", setting: "usage" },
  { point: "tokens after a password change", served: "valid until they expire" },
  { point: "escapes in JSON", served: "the minimum that JSON requires" },
  { point: "OPTIONS", served: "405 with `Allow`; with `Origin`, 204" },
  { point: "month of usage, and today", served: "the sandbox's clock in UTC" },
  {
    point: "a trailing slash",
    served: "GET redirects (301), also without a token; other methods are 404",
  },
  {
    point: "another method on a known path; an unknown path",
    served: "405 with `Allow`; 404",
    setting: "routeErrors",
  },
  { point: "maximum size of a body", served: "1 MiB; above it 413" },
];
