/** What a reader of the museum's OpenAPI document should know first. */

import type { MuseumSettings } from "./schemas.ts";

export function introduction(
  { credentials, validationStatus, errorDetail }: MuseumSettings,
  server: string,
): string {
  const [known] = credentials ?? [];
  const pair = credentials === undefined ? ":" : `'${known?.user ?? "<username>"}:<password>'`;
  const who =
    credentials === undefined
      ? "Any well-formed pair is good, an empty one too: `curl -u :`."
      : `Known users: ${credentials.map(({ user }) => `\`${user}\``).join(", ")}.`;
  return `Special events hosted by the museum; opening hours and tickets as a preview.

**First call.** Every operation is called with HTTP Basic credentials. ${who}

\`\`\`sh
curl -u ${pair} ${server}/special-events
\`\`\`

**Dates** are calendar dates such as \`2026-03-31\`, and today is that of the sandbox's clock, in UTC. **Prices** are
numbers without currency. **Lists** are plain arrays; a page past the end is empty.

**Refusals** are \`application/problem+json\` with \`type\`, a stable URI, and \`title\`, one sentence that names every failing
field and its rule${errorDetail ? ", and with `status`, `detail` and `errors`" : ""}. Input that does not fit is ${validationStatus}. An unknown path is 404;
another method on a known path is 405, with \`Allow\`. \`Location\` of a new event is a path, not a whole address.`;
}
