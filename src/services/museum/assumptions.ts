/** Behavior that the museum's document leaves open. Printed in the manual. */

import type { Assumption } from "../../operation/service.ts";

export const assumptions: readonly Assumption[] = [
  {
    point: "base data",
    served: "30 invented events; ten of them and the tickets have ids of the public description",
  },
  { point: "success statuses", served: "create 201 with `Location`; list, get and update 200; delete 204" },
  {
    point: "error body",
    served: "`type`, a stable URI, and `title`, which names all failing fields",
    setting: "errorDetail",
  },
  {
    point: "status of invalid input",
    served: "400",
    setting: "validationStatus",
  },
  {
    point: "security headers",
    served: "`X-Content-Type-Options: nosniff`, `X-Frame-Options: deny`",
  },
  {
    point: "a body that is not a JSON object, or has another media type",
    served: "`malformedBody`; an invalid field is `invalidInput`",
  },
  { point: "`charset` of the media type", served: "ignored: a body is UTF-8" },
  { point: "an id that is not a UUID; an unknown or deleted id", served: "400; 404" },
  { point: "case of ids", served: "ignored in requests; lowercase in responses" },
  {
    point: "missing or malformed credentials",
    served: "401 with a challenge, before any other check",
  },
  { point: "valid credentials", served: "every well-formed pair", setting: "credentials" },
  {
    point: "encoding of credentials",
    served: "UTF-8; otherwise Latin-1, with a finding",
  },
  { point: "range of the list", served: "both ends included; one date in it is enough" },
  { point: "`endDate` before `startDate`; a `page` or `limit` below 1 or repeated", served: "400" },
  { point: "`limit` above 30", served: "400", setting: "limitAboveMaximum" },
  { point: "unit of `limit`", served: "events", setting: "pageBy" },
  { point: "order of the list", served: "by first date in the range, then by creation" },
  { point: "no match, or a page after the end", served: "200 with `[]`" },
  {
    point: "unknown parameters and fields, `eventId` in a body",
    served: "ignored, with a finding",
    setting: "strict",
  },
  { point: "time zone of today", served: "UTC, by the sandbox's clock" },
  { point: "update with an empty object", served: "200 without a change" },
  {
    point: "past dates, an empty list of dates, empty strings, prices of 0 or less",
    served: "accepted",
    setting: "strictDomain",
  },
  {
    point: "a `price` with more digits than a double",
    served: "a fraction is rounded; an integer that would lose digits is 400",
  },
  { point: "a price outside the range of a float", served: "400" },
  {
    point: "another method, also HEAD and OPTIONS; an unknown path",
    served: "405 with `Allow`; 404",
  },
  {
    point: "opening hours and tickets",
    served: "as in the public description of version 1.1.1",
    setting: "preview",
  },
  { point: "a ticket date in the past, or outside the event", served: "accepted", setting: "strictDomain" },
  { point: "`eventId` of a ticket for general entry", served: "ignored, if it is a UUID" },
  { point: "email address of a ticket", served: "ASCII, with a dot in its domain; others are 400" },
  { point: "opening hours", served: "09:00 to 18:00, from Friday to Sunday 10:00 to 16:00" },
  { point: "maximum size of a body", served: "1 MiB; above it 413" },
];
