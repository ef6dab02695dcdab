/** Serves the entry point, JSON-LD contexts, Hydra and OpenAPI documents. Assumed: they need no token, as in API Platform. */

import { html } from "hono/html";
import { renderOpenApi } from "../../../operation/openapi.ts";
import { fail, isProblem } from "../../../operation/problem.ts";
import type {
  RenderContext,
  RenderedResponse,
  Service,
  ServiceDocument,
} from "../../../operation/service.ts";
import { bearer, checkStrictToken } from "../security.ts";
import type { AccountSettings } from "../settings.ts";
import type { AccountState } from "../state.ts";
import { buildApiDocs } from "./api-documentation.ts";
import { buildFormHeaders, type Markup, renderLayout } from "./html.ts";
import { buildEntrypoint, listEntryPoint } from "./hydra.ts";
import { buildContext } from "./json-ld.ts";
import {
  buildCommonHeaders,
  buildSuccessHeaders,
  HTML,
  JSON_TYPE,
  LD_JSON,
  negotiate,
  settingsOf,
} from "./media.ts";
import { toAccountProblem, toFormatProblem } from "./own-problem.ts";

type DocumentCall = Parameters<ServiceDocument>[0];
/** Functions that build a document, by media type. Clients that accept only `application/json` also get the JSON-LD body. */
type DocumentForms = { readonly [LD_JSON]: () => unknown; readonly [HTML]: () => string };

const serveEntrypoint: ServiceDocument = (call) => {
  const { exchange } = call.context;
  return renderForm(call, {
    [LD_JSON]: () => buildEntrypoint(exchange, settingsOf(call.context)),
    [HTML]: () => renderLayout(call.service.title, renderResourceList(call), exchange),
  });
};

const serveContext: ServiceDocument = (call) => {
  const { exchange } = call.context;
  if (exchange.suffix !== undefined && exchange.suffix !== "jsonld") return toFormatProblem(exchange.suffix);
  const document = buildContext(call.params["name"] ?? "", exchange, settingsOf(call.context));
  if (document === undefined) return fail("pathNotFound");
  const media = negotiate({ ...call.context, exchange: { ...exchange, suffix: "jsonld" } });
  if (typeof media !== "string") return toAccountProblem(media, call.context);
  return toRendered(LD_JSON, JSON.stringify(document), call.context);
};

/** Serves `/docs`: OpenAPI for `application/json`, Hydra for JSON-LD, and a table of operations for HTML. */
const serveDocumentation: ServiceDocument = (call) => {
  const { service, context } = call;
  if (negotiate(context) === JSON_TYPE) return serveOpenApi(call);
  const { exchange } = context;
  return renderForm(call, {
    [LD_JSON]: () => buildApiDocs(service, exchange, settingsOf(context)),
    [HTML]: () => renderLayout(`${service.title}: operations`, renderOperations(service), exchange),
  });
};

const serveOpenApi: ServiceDocument = (call) =>
  toRendered(JSON_TYPE, String(renderOpenApi(call).body), call.context);

/** Redirects to the path without trailing slash. Assumed: the redirect needs no token, as in Symfony. */
export const redirectSlash: ServiceDocument = ({ context, params }) => {
  const media = negotiate(context);
  if (typeof media !== "string") return toAccountProblem(media, context);
  const { exchange } = context;
  const { origin, base, search } = exchange;
  const location = `${origin}${base}${params["path"]}${search}`;
  const content = html`<p>Moved to <a href="${location}">${location}</a>.</p>`;
  const { "cache-control": _own, ...common } = buildCommonHeaders(exchange);
  const headers = { ...common, ...buildFormHeaders(HTML), location };
  return { status: 301, headers, body: renderLayout("Moved", content, exchange) };
};

export const documents: Readonly<Record<string, ServiceDocument>> = {
  "/": withGuard(serveEntrypoint),
  "/index": withGuard(serveEntrypoint),
  "/docs": withGuard(serveDocumentation),
  "/contexts/{name}": withGuard(serveContext),
  "/openapi.json": serveOpenApi,
};

/** Adds the token checks of the settings `protectDocs` and `strictTokens` to a document. `/openapi.json` is always public. */
function withGuard(document: ServiceDocument): ServiceDocument {
  return (call) => {
    const { exchange } = call.context;
    const settings = settingsOf(call.context);
    const state = call.state as AccountState; // Safe cast: createAccountState created it.
    const caller = settings.protectDocs
      ? bearer.authenticate({ ...state, headers: exchange.headers, settings, exchange })
      : checkStrictToken(exchange, state, settings);
    return isProblem(caller) ? caller : document(call);
  };
}

function renderForm({ context }: DocumentCall, forms: DocumentForms) {
  const media = negotiate(context);
  const { exchange } = context;
  if (typeof media !== "string") return toAccountProblem(media, context);
  exchange.media = media;
  if (media === HTML) return toRendered(HTML, forms[HTML](), context);
  return toRendered(LD_JSON, JSON.stringify(forms[LD_JSON]()), context);
}

function toRendered(media: string, body: string, { exchange }: RenderContext): RenderedResponse {
  return { status: 200, headers: { ...buildSuccessHeaders(exchange), ...buildFormHeaders(media) }, body };
}

function renderResourceList({ context, service }: DocumentCall): Markup {
  const rows = listEntryPoint(settingsOf(context)).map(
    ({ key, path }) => html`<dt>${key}</dt><dd><a href="${context.exchange.base}${path}">${path}</a></dd>\n`,
  );
  return html`<p class="quiet">${service.description}</p><dl class="card">${rows}</dl>`;
}

function renderOperations({ operations, description }: Service): Markup {
  const rows = Object.values(operations).map(
    ({ method, path, summary }) =>
      html`<tr><td data-name="Method"><code>${method.toUpperCase()}</code></td><td data-name="Path"><code>${path}</code></td><td data-name="What it does">${summary}</td></tr>\n`,
  );
  return html`<p class="quiet">${description}</p>
<div class="card"><table><thead><tr><th scope="col">Method</th><th scope="col">Path</th><th scope="col">What it does</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** Builds the introduction of the OpenAPI document. `body` is an example login. */
export function buildAccountIntro(settings: AccountSettings, server: string, body: unknown): string {
  const { tokenLifetime, typeErrors, pageSize, login } = settings;
  const credentials = JSON.stringify(body).replaceAll("'", "'\\''");
  return `Login, consumptions, presale packages, presale actions, and the user's profile.

**First call.** \`POST /login\` with email address and password returns a token. Send it with every other operation as
\`Authorization: Bearer <token>\`. It is valid for ${tokenLifetime}. ${describeRepeat(login)}

\`\`\`sh
curl ${server}/login \\
  -H 'Content-Type: application/json' \\
  -d '${credentials}'
curl ${server}/consumptions \\
  -H 'Accept: application/json' \\
  -H 'Authorization: Bearer <token>'
\`\`\`

**Media types.** \`application/json\` has the plain fields, \`application/ld+json\` (the default) adds JSON-LD and Hydra, and \`text/html\`
is a page to read. **Amounts** are strings with two decimals, \`"12.50"\`, without currency. **Times** are RFC 3339. **Lists** have
pages of ${pageSize} items. \`page\` counts from 1, and a page past the end is empty.

**Errors.** 400: the body is not a JSON object${typeErrors === 400 ? ", or a field has the wrong type" : ""}. 401: no valid token. 404: missing, or another
user's. 422: invalid fields, all listed in \`violations\`.`;
}

function describeRepeat({ every, onRepeat, status }: AccountSettings["login"]): string {
  if (onRepeat === "allow") return "Log in as often as you like.";
  if (onRepeat === "same-token") return `A login within ${every} returns the same token.`;
  return `You can request a token once every ${every}, so store it. An earlier login is ${status}, and \`Retry-After\` has the remaining seconds.`;
}
