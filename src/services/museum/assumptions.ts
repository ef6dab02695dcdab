/** Behavior that the museum's document leaves open. Printed in the manual. */

import type { Assumption } from "../../operation/service.ts";

export const assumptions: readonly Assumption[] = [
  { point: "data of a new sandbox", served: "30 invented events" },
  { point: "status of a successful request", served: "201 for a create, 204 for a delete, 200 otherwise" },
  {
    point: "error body",
    served: "`type` (a URI), and a `title` that names the invalid fields",
    setting: "errorDetail",
  },
  { point: "status of a response to invalid input", served: "400", setting: "validationStatus" },
  { point: "security headers", served: "`X-Content-Type-Options: nosniff` and `X-Frame-Options: deny`" },
  { point: "a body that is not a JSON object", served: "the problem `malformedBody`" },
  { point: "`charset` in the `Content-Type` of a request", served: "ignored: every body is read as UTF-8" },
  { point: "an unknown id", served: "400 if it is not a UUID, else 404" },
  { point: "uppercase letters in an id", served: "treated like lowercase letters" },
  { point: "missing or malformed credentials", served: "401, before any other check of the request" },
  { point: "valid credentials", served: "every user name with every password", setting: "credentials" },
  { point: "credentials that are not UTF-8", served: "read as Latin-1, and reported as a finding" },
  { point: "events in a date range", served: "events with a date in the range, first and last day included" },
  { point: "an `endDate` before `startDate`; an invalid `page` or `limit`", served: "400" },
  { point: "a `limit` above 30", served: "400", setting: "limitAboveMaximum" },
  { point: "unit of `limit` in the list of events", served: "events (not days)", setting: "pageBy" },
  { point: "order of events", served: "by the first date in the range, then by creation" },
  { point: "a list without any event, also on a page after the last one", served: "200 with `[]`" },
  { point: "unknown parameters and fields", served: "ignored, and reported as a finding", setting: "strict" },
  { point: "current date", served: "date of the sandbox's clock in UTC" },
  { point: "an update with an empty object", served: "200, and the event does not change" },
  { point: "past dates, empty values, and prices of 0 or less", served: "accepted", setting: "strictDomain" },
  {
    point: "a `price` with too many digits for JavaScript",
    served: "rounded, or 400 if it is a whole number",
  },
  { point: "a `price` outside the range of a 32-bit float", served: "400" },
  { point: "an unknown method, also HEAD and OPTIONS", served: "405 with `Allow`" },
  {
    point: "opening hours and tickets",
    served: "as in the public OpenAPI description 1.1.1",
    setting: "preview",
  },
  {
    point: "a ticket for a past day, or a day without the event",
    served: "accepted",
    setting: "strictDomain",
  },
  { point: "`eventId` in a ticket of type `general`", served: "ignored if it is a UUID" },
  { point: "valid email addresses in a ticket", served: "ASCII addresses whose domain contains a dot" },
  { point: "opening hours", served: "10:00 to 16:00 from Friday to Sunday, 09:00 to 18:00 on other days" },
  { point: "maximum size of a request body", served: "1 MiB; a larger body is 413" },
];
