/** Problems of the museum and their sources. */

import {
  type Catalogue,
  defineProblems,
  NOT_STORED,
  SERVER_ERROR,
  STORAGE_FULL,
} from "../../operation/problem.ts";
import type { MuseumSettings } from "./schemas.ts";

const BAD_REQUEST = "Assumed: the public description of 1.1.1 has a 400.";

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
    source: "museum-special-events, Authentication; Assumed: the status and the challenge (RFC 7617).",
  },
  eventNotFound: {
    status: 404,
    title: "There is no such special event.",
    source: "Assumed: 404; the shape is of museum-special-events, Errors.",
  },
  ticketNotFound: { status: 404, title: "There is no such ticket.", source: "Assumed: preview group." },
  pathNotFound: { status: 404, title: "There is nothing at this path.", source: "Assumed: not shown." },
  methodNotAllowed: {
    status: 405,
    title: "This path does not take this method.",
    source: "Assumed: RFC 9110, 15.5.6.",
  },
  bodyTooLarge: { status: 413, title: "The body is too large.", source: "Assumed: a limit of the sandbox." },
  serverError: SERVER_ERROR,
  notStored: { ...NOT_STORED, title: "Nothing was stored." },
  storageFull: { ...STORAGE_FULL, title: "Nothing was stored." },
});

/** Applies the setting for the status of invalid input. */
export function getMuseumStatus(usual: number, { validationStatus }: MuseumSettings): number {
  return usual === 400 ? validationStatus : usual;
}

export function buildMuseumProblems(settings: MuseumSettings): Catalogue {
  const entries = Object.entries(problems).map(([key, problem]) => {
    return [key, { ...problem, status: getMuseumStatus(problem.status, settings) }] as const;
  });
  return Object.fromEntries(entries);
}
