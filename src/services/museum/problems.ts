/** Problems of the museum. Each `source` names a heading of the document, or an assumption. */

import {
  type Catalogue,
  defineProblems,
  NOT_STORED,
  SERVER_ERROR,
  STORAGE_FULL,
} from "../../operation/problem.ts";
import type { MuseumSettings } from "./schemas.ts";

const EXISTS = "Assumed: The service has this error.";
const BAD_REQUEST = "Assumed: The status is 400, as in the public OpenAPI description 1.1.1.";

export const problems = defineProblems({
  malformedBody: { status: 400, title: "The body cannot be read as a JSON object.", source: BAD_REQUEST },
  invalidInput: {
    status: 400,
    title: "The input is not valid.",
    when: "A parameter or field is invalid. The title lists all of them.",
    source: BAD_REQUEST,
  },
  credentialsRequired: {
    status: 401,
    title: "Every operation is called with HTTP Basic credentials.",
    headers: { "WWW-Authenticate": 'Basic realm="museum", charset="UTF-8"' },
    source: "museum-special-events, Authentication; Assumed: The status is 401.",
  },
  eventNotFound: {
    status: 404,
    title: "There is no such special event.",
    source: "Assumed: The status is 404.",
  },
  ticketNotFound: { status: 404, title: "There is no such ticket.", source: EXISTS },
  pathNotFound: { status: 404, title: "There is nothing at this path.", source: EXISTS },
  methodNotAllowed: {
    status: 405,
    title: "This path does not accept this method.",
    source: "Assumed: The service has this error, as in RFC 9110.",
  },
  bodyTooLarge: { status: 413, title: "The body is too large.", source: "Assumed: The limit is 1 MiB." },
  serverError: SERVER_ERROR,
  notStored: { ...NOT_STORED, title: "Nothing was stored." },
  storageFull: { ...STORAGE_FULL, title: "Nothing was stored." },
});

/** Returns the status of a problem. The setting `validationStatus` replaces the status 400. */
export function getMuseumStatus(usual: number, { validationStatus }: MuseumSettings): number {
  return usual === 400 ? validationStatus : usual;
}

export function buildMuseumProblems(settings: MuseumSettings): Catalogue {
  const entries = Object.entries(problems).map(([key, problem]) => {
    return [key, { ...problem, status: getMuseumStatus(problem.status, settings) }] as const;
  });
  return Object.fromEntries(entries);
}
