/** Behavior that the museum's document leaves open. Printed in the manual. */

import type { Assumptions } from "../../operation/service.ts";

export const assumptions = {
  baseData: [
    "base data",
    "30 invented events; ten of them and the tickets have ids of the public description",
  ],
  success: ["success statuses", "create 201 with `Location`; list, get and update 200; delete 204"],
  errorBody: [
    "error body",
    "`type`, a stable URI, and `title`, which names all failing fields",
    "errorDetail",
  ],
  badInput: ["status of invalid input", "400", "validationStatus"],
  securityHeaders: ["security headers", "`X-Content-Type-Options: nosniff`, `X-Frame-Options: deny`"],
  badBody: [
    "a body that is not a JSON object, or has another media type",
    "`malformedBody`; an invalid field is `invalidInput`",
  ],
  charset: ["`charset` of the media type", "ignored: a body is UTF-8"],
  ids: ["an id that is not a UUID; an unknown or deleted id", "400; 404"],
  idCase: ["case of ids", "ignored in requests; lowercase in responses"],
  noCredentials: ["missing or malformed credentials", "401 with a challenge, before any other check"],
  credentials: ["valid credentials", "every well-formed pair", "credentials"],
  encoding: ["encoding of credentials", "UTF-8; otherwise Latin-1, with a finding"],
  range: ["range of the list", "both ends included; one date in it is enough"],
  badRange: ["`endDate` before `startDate`; a `page` or `limit` below 1 or repeated", "400"],
  limit: ["`limit` above 30", "400", "limitAboveMaximum"],
  pageBy: ["unit of `limit`", "events", "pageBy"],
  order: ["order of the list", "by first date in the range, then by creation"],
  noMatch: ["no match, or a page after the end", "200 with `[]`"],
  unknownInput: ["unknown parameters and fields, `eventId` in a body", "ignored, with a finding", "strict"],
  today: ["time zone of today", "UTC, by the sandbox's clock"],
  emptyUpdate: ["update with an empty object", "200 without a change"],
  domain: [
    "past dates, an empty list of dates, empty strings, prices of 0 or less",
    "accepted",
    "strictDomain",
  ],
  digits: [
    "a `price` with more digits than a double",
    "a fraction is rounded; an integer that would lose digits is 400",
  ],
  priceRange: ["a price outside the range of a float", "400"],
  routes: ["another method, also HEAD and OPTIONS; an unknown path", "405 with `Allow`; 404"],
  preview: ["opening hours and tickets", "as in the public description of version 1.1.1", "preview"],
  ticketDate: ["a ticket date in the past, or outside the event", "accepted", "strictDomain"],
  ticketEvent: ["`eventId` of a ticket for general entry", "ignored, if it is a UUID"],
  ticketEmail: ["email address of a ticket", "ASCII, with a dot in its domain; others are 400"],
  hours: ["opening hours", "09:00 to 18:00, from Friday to Sunday 10:00 to 16:00"],
  bodySize: ["maximum size of a body", "1 MiB; above it 413"],
} satisfies Assumptions;
