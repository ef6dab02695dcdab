/**
 * What the account serves for reading: the entry point, the contexts, the Hydra API documentation and the OpenAPI
 * document. Assumed: that they are public (API Platform), so that a bad token does no harm there.
 */

import { html } from "hono/html";
import { openApiDocument } from "../../../operation/openapi.ts";
import { fail, isProblem } from "../../../operation/problem.ts";
import type { RenderContext, Rendered, Service, ServiceDocument } from "../../../operation/service.ts";
import { bearer, refuseStrictly } from "../security.ts";
import type { AccountState } from "../state.ts";
import { apiDocumentation } from "./api-documentation.ts";
import { formHeaders, layout, type Markup } from "./html.ts";
import { entryPoint, entrypointDocument } from "./hydra.ts";
import { contextDocument } from "./json-ld.ts";
import { commonHeaders, HTML, JSON_TYPE, LD_JSON, negotiate, settingsOf, successHeaders } from "./media.ts";
import { ownProblem, unknownFormat } from "./own-problem.ts";

type Call = Parameters<ServiceDocument>[0];
/** A document as JSON-LD, which clients of plain JSON get as well, and as a page. */
type Forms = {
  readonly [LD_JSON]: () => unknown;
  readonly [HTML]: () => string;
};

const entrypoint: ServiceDocument = (call) => {
  const { exchange } = call.context;
  return inForm(call, {
    [LD_JSON]: () => entrypointDocument(exchange, settingsOf(call.context)),
    [HTML]: () => layout(call.service.title, resourceList(call), exchange),
  });
};

const contextOf: ServiceDocument = (call) => {
  const { exchange } = call.context;
  if (exchange.suffix !== undefined && exchange.suffix !== "jsonld") return unknownFormat(exchange.suffix);
  const document = contextDocument(call.params["name"] ?? "", exchange, settingsOf(call.context));
  if (document === undefined) return fail("pathNotFound");
  return written(LD_JSON, JSON.stringify(document), call.context);
};

/** The OpenAPI document in JSON, the Hydra one in the other forms. */
const documentation: ServiceDocument = (call) =>
  negotiate(call.context) === JSON_TYPE
    ? openApi(call)
    : inForm(call, {
        [LD_JSON]: () => apiDocumentation(call.service, call.context.exchange, settingsOf(call.context)),
        [HTML]: () =>
          layout(`${call.service.title}: operations`, operationTable(call.service), call.context.exchange),
      });

const openApi: ServiceDocument = (call) =>
  written(JSON_TYPE, String(openApiDocument(call).body), call.context);

/** Assumed: as Symfony does it, for whoever asks. */
export const slashed: ServiceDocument = ({ context: { exchange }, params }) => {
  const { origin, base, search } = exchange;
  const location = `${origin}${base}${params["path"]}${search}`;
  const content = html`<p>Moved to <a href="${location}">${location}</a>.</p>`;
  const headers = { ...commonHeaders(exchange), ...formHeaders(HTML), location };
  return { status: 301, headers, body: layout("Moved", content, exchange) };
};

export const documents: Readonly<Record<string, ServiceDocument>> = {
  "/": guarded(entrypoint),
  "/index": guarded(entrypoint),
  "/docs": guarded(documentation),
  "/contexts/{name}": guarded(contextOf),
  "/openapi.json": openApi,
};

/** Behind the settings `protectDocs` and `strictTokens`. The OpenAPI document, the sandbox's own, stays public. */
function guarded(document: ServiceDocument): ServiceDocument {
  return (call) => {
    const { exchange } = call.context;
    const settings = settingsOf(call.context);
    const state = stateOf(call);
    const caller = settings.protectDocs
      ? bearer.authenticate({ ...state, headers: exchange.headers, settings, exchange })
      : refuseStrictly(exchange, state, settings);
    return isProblem(caller) ? caller : document(call);
  };
}

function stateOf({ state }: Call): AccountState {
  return state as AccountState; // the sandbox gives each service's documents the state that the service created
}

/** The form that the client wants, negotiated as for a resource. */
function inForm({ context }: Call, forms: Forms) {
  const media = negotiate(context);
  const { exchange } = context;
  if (typeof media !== "string") {
    const { suffix } = exchange;
    return media.key === "pathNotFound" && suffix !== undefined
      ? unknownFormat(suffix)
      : ownProblem(media, context);
  }
  exchange.media = media;
  if (media === HTML) return written(HTML, forms[HTML](), context);
  return written(LD_JSON, JSON.stringify(forms[LD_JSON]()), context);
}

function written(media: string, body: string, { exchange }: RenderContext): Rendered {
  return { status: 200, headers: { ...successHeaders(exchange), ...formHeaders(media) }, body };
}

function resourceList({ context, service }: Call): Markup {
  const rows = entryPoint(settingsOf(context)).map(
    ({ key, path }) => html`<dt>${key}</dt><dd><a href="${context.exchange.base}${path}">${path}</a></dd>\n`,
  );
  return html`<p class="quiet">${service.description}</p><dl class="card">${rows}</dl>`;
}

function operationTable({ operations, description }: Service): Markup {
  const rows = Object.values(operations).map(
    ({ method, path, summary }) =>
      html`<tr><td data-name="Method"><code>${method.toUpperCase()}</code></td><td data-name="Path"><code>${path}</code></td><td data-name="What it does">${summary}</td></tr>\n`,
  );
  return html`<p class="quiet">${description}</p>
<div class="card"><table><thead><tr><th scope="col">Method</th><th scope="col">Path</th><th scope="col">What it does</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}
