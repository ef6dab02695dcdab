/** What a reader of the account's OpenAPI document should know first. */

import type { AccountSettings } from "../settings.ts";

/** `credentials`: what a user sends to log in. */
export function buildAccountIntro(settings: AccountSettings, server: string, credentials: unknown): string {
  const { tokenLifetime, typeErrors, pageSize, login } = settings;
  return `Login, consumptions, presale packages, presale actions, and the user's profile.

**First call.** \`POST /login\` with e-mail address and password gives a token, which every other operation takes as
\`Authorization: Bearer <token>\`. It lasts ${tokenLifetime}. ${describeRepeat(login)}

\`\`\`sh
curl ${server}/login \\
  -H 'Content-Type: application/json' \\
  -d '${escapeQuotes(JSON.stringify(credentials))}'
curl ${server}/consumptions \\
  -H 'Accept: application/json' \\
  -H 'Authorization: Bearer <token>'
\`\`\`

**Forms.** \`application/json\` has the plain fields, \`application/ld+json\` (the default) adds JSON-LD and Hydra, \`text/html\` is a page
to read. **Amounts** are texts with two decimals, \`"12.50"\`, without currency. **Instants** are RFC 3339. **Lists** come in pages
of ${pageSize}: \`page\` counts from 1, and a page past the end is empty.

**Refusals.** 400: the body is no JSON object${typeErrors === 400 ? ", or has a field of another type" : ""}. 401: no good token. 404: not there, or another
user's. 422: the rules that are broken, all at once, in \`violations\`.`;
}

function describeRepeat({ every, onRepeat, status }: AccountSettings["login"]): string {
  if (onRepeat === "allow") return "Log in as often as you like.";
  if (onRepeat === "same-token") return `A login within ${every} gets the same token again.`;
  return `One can be requested once every ${every}: keep it. A login that comes too early is ${status}, and \`Retry-After\` says how many seconds are left.`;
}

/** Within single quotes of a shell. */
function escapeQuotes(text: string): string {
  return text.replaceAll("'", "'\\''");
}
