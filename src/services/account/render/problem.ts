/**
 * The error bodies of both styles, in each media type, and those of sign-in and tokens, which are always the same.
 * Assumed throughout (API Platform 2.x and 4.x, Lexik JWT): "the error body format: not shown".
 */

import { html } from "hono/html";
import { PROBLEM_JSON } from "../../../http/problem-json.ts";
import { toViolation, type Violation } from "../../../operation/issue.ts";
import { lookUp, type Problem, SERVER_PHRASES } from "../../../operation/problem.ts";
import type { RenderContext, Rendered } from "../../../operation/service.ts";
import { problems, statusOf } from "../problems.ts";
import type { AccountSettings } from "../settings.ts";
import { pageHeaders, styleElement } from "./html.ts";
import {
  commonHeaders,
  errorHeaders,
  firstNamed,
  HTML,
  JSON_TYPE,
  LD_JSON,
  refusalMedia,
  settingsOf,
  withCharset,
} from "./media.ts";

const OCCURRED = "An error occurred";
const RFC_2616 = "https://tools.ietf.org/html/rfc2616#section-10";

/** One problem, before it is rendered. */
type ErrorDetails = {
  readonly status: number;
  /** The text for the client; one line for each of several violations. */
  readonly detail: string;
  readonly violations: readonly Violation[] | undefined;
  readonly base: string;
};
/** Members that are undefined are left out. */
type Form = { readonly media: string; readonly body: Readonly<Record<string, unknown>> };

export function renderProblem(problem: Problem, context: RenderContext): Rendered {
  const { exchange } = context;
  const settings = settingsOf(context);
  const { key } = problem;
  const { status: usual, title, detail: text, headers: own, issues } = lookUp(problems, problem);
  const status = statusOf(key, usual, settings);

  const bySymfony = settings.routeErrors === "symfony" && isRouteError(problem);
  const wanted = bySymfony ? firstNamed(exchange) : refusalMedia(context);
  const simple =
    bySymfony && wanted === JSON_TYPE ? symfonyBody(status, title) : signInBody(key, status, text);
  if (simple !== undefined) {
    const headers = { ...commonHeaders(exchange), "content-type": JSON_TYPE, ...own };
    return { status, headers, body: JSON.stringify(simple) };
  }
  const broken = issues?.map(toViolation);
  const violations = status === 422 ? broken : undefined;
  const detail = broken?.map((one) => `${one.propertyPath}: ${one.message}`).join("\n") ?? text;
  const agreed = key === "notAcceptable" ? undefined : wanted;
  const common = errorHeaders(exchange, agreed, settings);
  if (agreed === HTML && violations === undefined)
    return {
      status,
      headers: { ...common, ...pageHeaders(), "content-type": "text/html; charset=UTF-8", ...own },
      body: errorPage(status),
    };
  const details: ErrorDetails = { status, detail, violations, base: exchange.base };
  const { media, body } = formOf(details, agreed, settings);
  const headers = { ...common, "content-type": bySymfony ? media : withCharset(media), ...own };
  return { status, headers, body: JSON.stringify(body) };
}

/** Tokens and sign-in: `code` and `message`, whatever the client accepts. Undefined: another kind of problem. */
function signInBody(key: string, status: number, text: string): unknown {
  if (key === "malformedLogin") return symfonyBody(status, text);
  return key === "loginThrottled" || status === 401 ? { code: status, message: text } : undefined;
}

/** What Symfony itself returns in plain JSON, as opposed to API Platform. */
function symfonyBody(status: number, detail: string): unknown {
  return { type: RFC_2616, title: OCCURRED, status, detail };
}

/** Symfony refuses these before API Platform sees the request. */
function isRouteError({ key }: Problem): boolean {
  return key === "pathNotFound" || key === "methodNotAllowed";
}

/** `agreed`: the negotiated form, undefined where there is none. */
function formOf(details: ErrorDetails, agreed: string | undefined, { profile }: AccountSettings): Form {
  const linked = agreed === LD_JSON;
  switch (profile) {
    case "api-platform-2":
      return linked
        ? { media: LD_JSON, body: hydraError(details) }
        : { media: PROBLEM_JSON, body: olderProblem(details) };
    case "api-platform-4":
      return { media: PROBLEM_JSON, body: linked ? newerHydraError(details) : newerProblem(details) };
  }
}

/** Without a `status` member. */
function olderProblem({ detail, violations }: ErrorDetails): Form["body"] {
  return { type: RFC_2616, title: OCCURRED, detail, violations };
}

function hydraError({ detail, violations, base }: ErrorDetails): Form["body"] {
  const context = violations === undefined ? "Error" : "ConstraintViolationList";
  return {
    "@context": `${base}/contexts/${context}`,
    "@type": violations === undefined ? "hydra:Error" : context,
    "hydra:title": OCCURRED,
    "hydra:description": detail,
    violations,
  };
}

function newerProblem(details: ErrorDetails): Form["body"] {
  const { status, detail, violations } = details;
  return { title: OCCURRED, detail, status, type: typeOf(details), violations };
}

function newerHydraError(details: ErrorDetails): Form["body"] {
  const { status, detail, violations, base } = details;
  const type = typeOf(details);
  const context = violations === undefined ? "Error" : "ConstraintViolation";
  const kind = violations === undefined ? "hydra:Error" : context;
  const head = { "@context": `${base}/contexts/${context}`, "@id": base + type, "@type": kind };
  const text = { description: detail, "hydra:title": OCCURRED, "hydra:description": detail };
  if (violations === undefined) return { ...head, title: OCCURRED, detail, status, type, ...text };
  return { ...head, status, violations, detail, type, title: OCCURRED, ...text };
}

/** `/errors/404`, wherever the service is; for violations `/validation_errors/<code>`, or `0=<code>;1=<code>` for several. */
function typeOf({ status, violations }: ErrorDetails): string {
  if (violations === undefined) return `/errors/${status}`;
  const codes = violations.map(({ code }) => code ?? "");
  const joined = codes.length === 1 ? codes[0] : codes.map((code, index) => `${index}=${code}`).join(";");
  return `/validation_errors/${joined}`;
}

const PHRASES: Readonly<Record<number, string>> = {
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

function errorPage(status: number): string {
  const phrase = PHRASES[status] ?? "Error";
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
