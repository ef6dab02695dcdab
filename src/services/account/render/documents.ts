/** Entry point, contexts, Hydra and OpenAPI documents. Assumed: public (API Platform), so a bad token does no harm there. */

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
/** A document as JSON-LD, which clients of plain JSON get as well, and as a page. */
type DocumentForms = {
  readonly [LD_JSON]: () => unknown;
  readonly [HTML]: () => string;
};

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
  return toRendered(LD_JSON, JSON.stringify(document), call.context);
};

/** The OpenAPI document in JSON, the Hydra one in the other forms. */
const serveDocumentation: ServiceDocument = (call) =>
  negotiate(call.context) === JSON_TYPE
    ? serveOpenApi(call)
    : renderForm(call, {
        [LD_JSON]: () => buildApiDocs(call.service, call.context.exchange, settingsOf(call.context)),
        [HTML]: () =>
          renderLayout(
            `${call.service.title}: operations`,
            renderOperations(call.service),
            call.context.exchange,
          ),
      });

const serveOpenApi: ServiceDocument = (call) =>
  toRendered(JSON_TYPE, String(renderOpenApi(call).body), call.context);

/** Assumed: as Symfony does it, for whoever asks. */
export const redirectSlash: ServiceDocument = ({ context: { exchange }, params }) => {
  const { origin, base, search } = exchange;
  const location = `${origin}${base}${params["path"]}${search}`;
  const content = html`<p>Moved to <a href="${location}">${location}</a>.</p>`;
  const headers = { ...buildCommonHeaders(exchange), ...buildFormHeaders(HTML), location };
  return { status: 301, headers, body: renderLayout("Moved", content, exchange) };
};

export const documents: Readonly<Record<string, ServiceDocument>> = {
  "/": withGuard(serveEntrypoint),
  "/index": withGuard(serveEntrypoint),
  "/docs": withGuard(serveDocumentation),
  "/contexts/{name}": withGuard(serveContext),
  "/openapi.json": serveOpenApi,
};

/** Behind the settings `protectDocs` and `strictTokens`. The OpenAPI document, the sandbox's own, stays public. */
function withGuard(document: ServiceDocument): ServiceDocument {
  return (call) => {
    const { exchange } = call.context;
    const settings = settingsOf(call.context);
    const state = stateOf(call);
    const caller = settings.protectDocs
      ? bearer.authenticate({ ...state, headers: exchange.headers, settings, exchange })
      : checkStrictToken(exchange, state, settings);
    return isProblem(caller) ? caller : document(call);
  };
}

function stateOf({ state }: DocumentCall): AccountState {
  return state as AccountState; // the sandbox gives each service's documents the state that the service created
}

/** The form that the client wants, negotiated as for a resource. */
function renderForm({ context }: DocumentCall, forms: DocumentForms) {
  const media = negotiate(context);
  const { exchange } = context;
  if (typeof media !== "string") {
    const { suffix } = exchange;
    return media.key === "pathNotFound" && suffix !== undefined
      ? toFormatProblem(suffix)
      : toAccountProblem(media, context);
  }
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
