/** Renders errors. Assumed: the document shows no error bodies, so these follow API Platform 2 and 4 and Lexik JWT. */

import { html } from "hono/html";
import { PROBLEM_JSON } from "../../../http/problem-json.ts";
import { toViolation, type Violation } from "../../../operation/issue.ts";
import { type Problem, resolveProblem, SERVER_PHRASES } from "../../../operation/problem.ts";
import type { RenderContext, RenderedResponse } from "../../../operation/service.ts";
import { getAccountStatus, problems } from "../problems.ts";
import type { AccountSettings } from "../settings.ts";
import { getPageHeaders, styleElement } from "./html.ts";
import {
  buildCommonHeaders,
  buildErrorHeaders,
  chooseErrorMedia,
  chooseSymfonyMedia,
  HTML,
  JSON_TYPE,
  LD_JSON,
  SUFFIXES,
  settingsOf,
  withCharset,
} from "./media.ts";

const ERROR_TITLE = "An error occurred";
const RFC_2616 = "https://tools.ietf.org/html/rfc2616#section-10";

type ErrorDetails = {
  readonly status: number;
  /** Message for the client, with one line per violation. */
  readonly detail: string;
  readonly violations: readonly Violation[] | undefined;
  readonly base: string;
};
/** An error body with its media type. Undefined members of `body` are omitted in JSON. */
type ErrorForm = { readonly media: string; readonly body: Readonly<Record<string, unknown>> };

export function renderProblem(problem: Problem, context: RenderContext): RenderedResponse {
  const { exchange } = context;
  const settings = settingsOf(context);
  const { key } = problem;
  const { status: usual, title, detail: text, headers: own, issues } = resolveProblem(problems, problem);
  const status = getAccountStatus(key, usual, settings);

  // The web framework Symfony returns these errors itself. API Platform, which runs in it, does not receive the request.
  const isRouteError = key === "pathNotFound" || key === "methodNotAllowed";
  const bySymfony = settings.routeErrors === "symfony" && isRouteError;
  const wanted = bySymfony ? chooseSymfonyMedia(exchange) : chooseErrorMedia(context);
  const simple =
    bySymfony && wanted === JSON_TYPE
      ? buildSymfonyError(status, title)
      : buildSignInError(key, status, text);
  if (simple !== undefined) {
    const headers = { ...buildCommonHeaders(exchange), "content-type": JSON_TYPE, ...own };
    return { status, headers, body: JSON.stringify(simple) };
  }
  const broken = issues?.map(toViolation);
  const violations = status === 422 ? broken : undefined;
  const detail = broken?.map(({ propertyPath, message }) => `${propertyPath}: ${message}`).join("\n") ?? text;
  const agreed = key === "notAcceptable" ? SUFFIXES.get(exchange.suffix ?? "") : wanted;
  const vary = key === "pathNotFound" && { vary: "Accept" };
  const common = { ...buildErrorHeaders(exchange, agreed, settings), ...vary };
  if (agreed === HTML && violations === undefined)
    return {
      status,
      headers: { ...common, ...getPageHeaders(), "content-type": "text/html; charset=UTF-8", ...own },
      body: renderErrorPage(status),
    };
  const details: ErrorDetails = { status, detail, violations, base: exchange.base };
  const { media, body } = buildErrorForm(details, agreed === LD_JSON, settings);
  const headers = { ...common, "content-type": bySymfony ? media : withCharset(media), ...own };
  return { status, headers, body: JSON.stringify(body) };
}

/** Builds the error body of token and login problems, which is JSON for every `Accept`. Returns undefined for other problems. */
function buildSignInError(key: string, status: number, text: string): unknown {
  if (key === "malformedLogin") return buildSymfonyError(status, text);
  return key === "loginThrottled" || status === 401 ? { code: status, message: text } : undefined;
}

/** Builds the JSON error of Symfony, which has no fields of API Platform. */
function buildSymfonyError(status: number, detail: string): unknown {
  return { type: RFC_2616, title: ERROR_TITLE, status, detail };
}

function buildErrorForm(details: ErrorDetails, isLinked: boolean, { profile }: AccountSettings): ErrorForm {
  if (profile === "api-platform-4")
    return { media: PROBLEM_JSON, body: isLinked ? buildHydraErrorV4(details) : buildProblemV4(details) };
  if (isLinked) return { media: LD_JSON, body: buildHydraErrorV2(details) };
  const { detail, violations } = details;
  return { media: PROBLEM_JSON, body: { type: RFC_2616, title: ERROR_TITLE, detail, violations } };
}

function buildHydraErrorV2({ detail, violations, base }: ErrorDetails): ErrorForm["body"] {
  const context = violations === undefined ? "Error" : "ConstraintViolationList";
  return {
    "@context": `${base}/contexts/${context}`,
    "@type": violations === undefined ? "hydra:Error" : context,
    "hydra:title": ERROR_TITLE,
    "hydra:description": detail,
    violations,
  };
}

function buildProblemV4(details: ErrorDetails): ErrorForm["body"] {
  const { status, detail, violations } = details;
  return { title: ERROR_TITLE, detail, status, type: buildErrorType(details), violations };
}

function buildHydraErrorV4(details: ErrorDetails): ErrorForm["body"] {
  const { status, detail, violations, base } = details;
  const type = buildErrorType(details);
  const context = violations === undefined ? "Error" : "ConstraintViolation";
  const kind = violations === undefined ? "hydra:Error" : context;
  const head = { "@context": `${base}/contexts/${context}`, "@id": base + type, "@type": kind };
  const text = { description: detail, "hydra:title": ERROR_TITLE, "hydra:description": detail };
  if (violations === undefined) return { ...head, title: ERROR_TITLE, detail, status, type, ...text };
  return { ...head, status, violations, detail, type, title: ERROR_TITLE, ...text };
}

/** Returns the field `type`: `/errors/404`. With violations: `/validation_errors/<code>`, or `…/0=<code>;1=<code>` for several. */
function buildErrorType({ status, violations }: ErrorDetails): string {
  if (violations === undefined) return `/errors/${status}`;
  const codes = violations.map(({ code }) => code ?? "");
  const joined = codes.length === 1 ? codes[0] : codes.map((code, index) => `${index}=${code}`).join(";");
  return `/validation_errors/${joined}`;
}

const STATUS_PHRASES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  ...SERVER_PHRASES,
};

function renderErrorPage(status: number): string {
  const phrase = STATUS_PHRASES[status] ?? "Error";
  return String(html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex,nofollow">
<title>An Error Occurred: ${phrase}</title>
${styleElement}
</head>
<body>
<main>
<h1>Oops! An Error Occurred</h1>
<h2>The server returned a "${status} ${phrase}".</h2>
<p class="quiet">Something is broken. Please let us know what you were doing when this error occurred.</p>
</main>
</body>
</html>
`);
}
