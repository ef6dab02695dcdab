/** Behavior that the museum's document leaves open. Printed in the manual. */

import type { Assumption } from "../../operation/service.ts";

export const assumptions: readonly Assumption[] = [
  {
    point: "base data",
    served:
      "thirty events of our own; ten of them and the tickets have ids of the public description's examples, so that published guides run",
  },
  { point: "success statuses", served: "create 201 with `Location`; list, get and update 200; delete 204" },
  {
    point: "error body",
    served: "`type`, a stable URI, and `title`, which names every failing field and its rule",
    setting: "errorDetail",
  },
  {
    point: "status of malformed or invalid input, and of other media types",
    served: "400",
    setting: "validationStatus",
  },
  { point: "headers of every answer", served: "`X-Content-Type-Options: nosniff`, `X-Frame-Options: deny`" },
  {
    point: "a body that is not JSON, is no JSON object, or is not sent as `application/json`",
    served: "the problem `malformedBody`; an invalid field is `invalidInput`",
  },
  { point: "`charset` of the media type", served: "ignored; a body is read as UTF-8" },
  { point: "an invalid UUID; an unknown or deleted id", served: "400; 404" },
  { point: "case of ids", served: "does not matter; they are shown in lower case" },
  {
    point: "credentials that are missing or malformed",
    served: "401 with a challenge on every operation, before other checks; the title describes the error",
  },
  { point: "valid credentials", served: "every well-formed pair, even an empty one", setting: "credentials" },
  {
    point: "encoding of credentials",
    served: "UTF-8, as in the challenge; other bytes are read as Latin-1, with a finding in the journal",
  },
  { point: "range of the list", served: "both ends included; an event is in it with any of its dates" },
  {
    point:
      "`endDate` before `startDate`; a duplicate `page` or `limit`, or one that is not a whole number from 1",
    served: "400",
  },
  { point: "`limit` above 30", served: "400", setting: "limitAboveMaximum" },
  { point: "what `limit` counts", served: "events", setting: "pageBy" },
  { point: "order of the list", served: "by first date in range, then in order of creation" },
  { point: "no match, or a page past the end", served: "200 with `[]`" },
  {
    point: "unknown parameters and fields, an `eventId` in a body",
    served: "ignored, never stored; the journal notes them",
    setting: "strict",
  },
  { point: "time zone of today", served: "UTC, by the sandbox's clock" },
  { point: "update with an empty object", served: "200, nothing changed" },
  {
    point: "past dates, missing dates, empty strings, prices of 0 or less",
    served: "accepted, because the document sets no limits",
    setting: "strictDomain",
  },
  {
    point: "a `price` with more digits than a double holds",
    served:
      "a fraction is rounded to the nearest double; an integer that would lose digits, such as 9007199254740993, is 400",
  },
  { point: "a price beyond the range of a float", served: "400" },
  {
    point: "another method on a known path; an unknown path",
    served: "405 with `Allow`, HEAD and OPTIONS included; 404",
  },
  {
    point: "operations of the groups Operations and Tickets",
    served: "hours, tickets and their QR codes, built from the public description of version 1.1.1",
    setting: "preview",
  },
  {
    point: "date of a ticket: in the past, or without the event",
    served: "accepted, because the description shows no rule",
    setting: "strictDomain",
  },
  { point: "`eventId` of a ticket for general entry", served: "ignored, but must be a UUID" },
  {
    point: "e-mail address of a ticket",
    served: "ASCII, with a dot in its domain, like `format: email` in validators; others are 400",
  },
  {
    point: "opening hours",
    served: "09:00 to 18:00 from Monday to Thursday, 10:00 to 16:00 on the other days",
  },
  { point: "largest body", served: "1 MiB; 413 beyond" },
];
