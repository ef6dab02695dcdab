/** Behavior that the account's document leaves open, mostly like API Platform with Lexik JWT. Printed in the manual. */

import type { Assumption } from "../../operation/service.ts";

export const assumptions: readonly Assumption[] = [
  {
    point: "a second login within 24 hours of a token",
    served: "429 with `Retry-After`; only an issued token starts the 24 hours, at its `iat`",
    setting: "login",
  },
  { point: "token", served: "RS256, for 24 hours to the second, without tolerance", setting: "algorithm" },
  {
    point: "keys with which clients verify tokens",
    served:
      "at `/_vitrine/jwks/account` and `/_vitrine/jwks/accountSandbox`, to pages as the service itself; the key has a `kid`, tokens have none",
  },
  { point: "errors of tokens and logins", served: "401 with `code` and `message`, independent of Accept" },
  { point: "invalid token where none is required", served: "ignored", setting: "strictTokens" },
  {
    point: "login of another media type; of a body that is no JSON object",
    served: "404, as the sign-in does not apply; 400",
  },
  { point: "visible data", served: "a user's own; data of another user is 404" },
  {
    point: "users other than `me`; the `id` of a user, which the relations mention and the fields lack",
    served: "404; absent, because it is always `me`",
  },
  {
    point: "form without an Accept header",
    served: "JSON-LD; 406 where none of the three forms is accepted",
  },
  { point: "Content-Type that is missing or not one of the three", served: "415, compared to the letter" },
  { point: "`charset` of the media type", served: "ignored, at the login too; a body is read as UTF-8" },
  {
    point: "form of errors",
    served:
      "like API Platform 2.x, in the negotiated media type; collections keep the prefix `hydra:` in the style of 4.x, as in the document",
    setting: "profile",
  },
  { point: "JSON-LD context of an item", served: "a link to the context document", setting: "itemContext" },
  {
    point: "addresses in `@id`, `Location` and links",
    served: "paths under the base address that the client used",
  },
  { point: "`text/html`", served: "a page for people to read, with the plain fields" },
  { point: "the entry point as `application/json`", served: "in JSON-LD, of that type" },
  { point: "headers against sniffing and framing", served: "on every answer, errors of routes too" },
  { point: "entry point, contexts, Hydra and OpenAPI documents", served: "public", setting: "protectDocs" },
  { point: "links of the entry point", served: "the three collections", setting: "entryPointUser" },
  {
    point: "path with a suffix: `.jsonld`, `.json`, `.html`",
    served: "that form, also in the links to pages; another suffix is 404",
  },
  { point: "when a collection has `hydra:view`", served: "with several pages, or when anything is filtered" },
  { point: "page size; page beyond the last", served: "30; 200 with no items", setting: "pageSize" },
  { point: "`page` that is no number from 1", served: "400", setting: "badPage" },
  { point: "filter that is no whole number", served: "ignored", setting: "badFilter" },
  {
    point: "invalid percent-encoding or UTF-8 in the query",
    served: "accepted: a stray `%` is literal, other bytes are Latin-1",
  },
  {
    point: "`year` next to `year[]`, `month` next to `month[]`",
    served: "the later one; values of a list are alternatives, and both filters must match",
  },
  { point: "order of lists", served: "consumptions latest month first, the others in order of creation" },
  { point: "numbers of amounts", served: "strings with two decimals and a dot" },
  {
    point: "instants",
    served: "RFC 3339 in UTC with a numeric offset, without fractions",
    setting: "dateTimes",
  },
  {
    point: "400 or 422",
    served: "400 for malformed JSON or a field with the wrong type, 422 for a violated rule",
    setting: "typeErrors",
  },
  {
    point: "definition and messages of malformed JSON",
    served: "like PHP's parser, which also rejects a byte order mark and half a surrogate pair",
  },
  { point: "messages and codes of violations", served: "like Symfony's constraints, all at once" },
  { point: "forbidden null", served: "treated as a wrong type", setting: "nulls" },
  {
    point: "threshold",
    served:
      "whole numbers from 0; a negative one is 422, one beyond 2^53 - 1 counts as a fraction, which is 400",
  },
  { point: "unknown fields; read-only ones in a body", served: "ignored" },
  { point: "JSON that is no object", served: "400; a list is an object without fields" },
  { point: "case of UUIDs", served: "does not matter; answers have lower case" },
  { point: "`uid` in a token", served: "a number" },
  {
    point: "PUT with fields left out",
    served: "the whole is replaced: required ones are 422, optional ones become null",
    setting: "profilePut",
  },
  {
    point: "an unknown presale in an action",
    served: "422; a UUID may be of any version",
    setting: "unknownPreSale",
  },
  { point: "longest text of a profile field", served: "255 characters" },
  {
    point: "which usage a presale pays for",
    served: "usage from its `created_at` to its `valid_until`, both included; the oldest presale pays first",
  },
  {
    point: "when a presale action fires",
    served: "when the credit falls below the threshold, once per crossing; the text of the mail is our own",
    setting: "fireOnCreate",
  },
  {
    point: "how long an action is `running`",
    served: "5 seconds of simulated time",
    setting: "actionDuration",
  },
  { point: "price of an invoice", served: "0.25, sent or received; in the base data too", setting: "usage" },
  { point: "tokens after a password change", served: "valid until they expire" },
  { point: "escapes in JSON", served: "as few as JSON asks for" },
  { point: "OPTIONS", served: "405 with `Allow`; with `Origin`, 204" },
  { point: "the month of usage, and today", served: "from the clock, in UTC" },
  {
    point: "a trailing slash",
    served: "GET redirects to the path without it (301), also without a token; other methods are 404",
  },
  {
    point: "another method on a known path; an unknown path",
    served: "405 with `Allow`; 404, in the form of all errors",
    setting: "routeErrors",
  },
  { point: "largest body", served: "1 MiB; 413 beyond" },
];
