/** Behavior that the account's document leaves open, mostly like API Platform with Lexik JWT. Printed in the manual. */

import type { Assumption } from "../../operation/service.ts";

export const assumptions: readonly Assumption[] = [
  {
    point: "a second login within 24 hours of a token",
    served:
      "429 with `Retry-After`; only a token that was handed out starts the window, in the second that its `iat` names",
    setting: "login",
  },
  { point: "token", served: "RS256, for 24 hours to the second, without tolerance", setting: "algorithm" },
  {
    point: "keys with which clients verify tokens",
    served:
      "at `/_vitrine/jwks/account` and `/_vitrine/jwks/accountSandbox`, to pages as the service itself; the key has a `kid`, tokens have none",
  },
  { point: "refusals of tokens and logins", served: "401 with `code` and `message`, whatever Accept says" },
  { point: "bad token where none is needed", served: "ignored", setting: "strictTokens" },
  {
    point: "login of another media type; of a body that is no JSON object",
    served: "404, as the sign-in does not apply; 400",
  },
  { point: "whose data a user sees", served: "their own; what belongs to another user is 404" },
  {
    point: "users other than `me`; the `id` in a user response, which the relations name and the fields lack",
    served: "404; not there: it is always `me`",
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
      "that of API Platform 2.x in the negotiated media type; collections keep the prefix `hydra:` also in the style of 4.x, as the document has it",
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
  { point: "what the entry point names", served: "the three collections", setting: "entryPointUser" },
  {
    point: "path with a suffix: `.jsonld`, `.json`, `.html`",
    served: "that form, and so are the links to pages; another suffix is 404",
  },
  { point: "when a collection has `hydra:view`", served: "with several pages, or when anything is filtered" },
  { point: "page size; page beyond the last", served: "30; 200 with no items", setting: "pageSize" },
  { point: "`page` that is no number from 1", served: "400", setting: "badPage" },
  { point: "filter that is no whole number", served: "ignored", setting: "badFilter" },
  {
    point: "query with a broken escape, or that is no UTF-8",
    served: "read all the same: a stray `%` as itself, other bytes as Latin-1",
  },
  {
    point: "`year` beside `year[]`, `month` beside `month[]`",
    served: "the one that comes later; values of a list are alternatives, the two filters add up",
  },
  { point: "order of lists", served: "consumptions latest month first, the others in order of creation" },
  { point: "numbers of amounts", served: "texts with two decimals and a dot" },
  {
    point: "instants",
    served: "RFC 3339 in UTC with a numeric offset and no fraction, however the data has them",
    setting: "dateTimes",
  },
  {
    point: "400 or 422",
    served: "400 for a body that is no JSON or has a field of another type, 422 for a broken rule",
    setting: "typeErrors",
  },
  {
    point: "what is no JSON, and how it is named",
    served: "as by PHP's parser: also a byte order mark and half a surrogate pair",
  },
  { point: "texts and codes of broken rules", served: "those of Symfony's constraints, all at once" },
  { point: "null where none may be", served: "as a value of another type", setting: "nulls" },
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
    served: "that from its `created_at` to its `valid_until`, both included; the oldest presale pays first",
  },
  {
    point: "when a presale action fires",
    served: "when the credit goes under the threshold, once per crossing; the mail's words are ours",
    setting: "fireOnCreate",
  },
  {
    point: "how long an action is `running`",
    served: "5 seconds of simulated time",
    setting: "actionDuration",
  },
  { point: "price of an invoice", served: "0.25, sent or received; in the base data too", setting: "usage" },
  { point: "what becomes of tokens when the password changes", served: "they stay good until they expire" },
  { point: "escapes in JSON", served: "as few as JSON asks for" },
  { point: "OPTIONS", served: "405 with `Allow`; with `Origin`, 204" },
  { point: "the month of usage, and today", served: "those of the clock in UTC" },
  {
    point: "a trailing slash",
    served: "GET is led to the path without it (301), whoever asks; other methods are 404",
  },
  {
    point: "another method on a known path; an unknown path",
    served: "405 with `Allow`; 404, in the form of all errors",
    setting: "routeErrors",
  },
  { point: "largest body", served: "1 MiB; 413 beyond" },
];
