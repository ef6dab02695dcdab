/** How the fetch of this Node describes bytes that are not HTTP: from undici 7 on without a code. */

import type { ParserErrors } from "../../request/broken-reply.ts";

const { undici = "" } = process.versions;
const older = Number.parseInt(undici, 10) < 7;

export const parserErrors: ParserErrors = {
  codes: older,
  expected: older ? "HTTP/" : "HTTP/, RTSP/ or ICE/",
};
