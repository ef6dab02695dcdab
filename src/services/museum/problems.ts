/** The problems of the museum service and their reasons. */

import { defineProblems } from "../../operation/problem.ts";

const DOCUMENT = "museum-special-events, Errors";

export const problems = defineProblems({
  malformedBody: {
    status: 400,
    title: "The body is not a JSON object.",
    source: "Assumed: the document shows no catalogue of errors; the public description of 1.1.1 has a 400.",
  },
  invalidInput: {
    status: 400,
    title: "The input is not valid.",
    source: "Assumed: the document shows no catalogue of errors; the public description of 1.1.1 has a 400.",
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
    source: `Assumed: 404; the shape is of ${DOCUMENT}.`,
  },
  ticketNotFound: { status: 404, title: "There is no such ticket.", source: "Assumed: preview group." },
  pathNotFound: { status: 404, title: "There is nothing at this path.", source: "Assumed: not shown." },
  methodNotAllowed: {
    status: 405,
    title: "This path does not take this method.",
    source: "Assumed: RFC 9110, 15.5.6.",
  },
  bodyTooLarge: { status: 413, title: "The body is too large.", source: "Assumed: a limit of the sandbox." },
  notStored: {
    status: 503,
    title: "Nothing was stored.",
    source: "Assumed: only where the sandbox stores its state and cannot.",
  },
  storageFull: {
    status: 507,
    title: "Nothing was stored.",
    source: "Assumed: only where the sandbox stores its state and the disk is full.",
  },
});
