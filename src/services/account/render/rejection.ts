// Owns how requests that fail before any handler are said in the account's terms: which problem, which text.
// Assumed: the texts (API Platform); the document shows none.

import type { Exchange } from "../../../operation/exchange.ts";
import { type Issue, type Refusal, type Rejection, refusal } from "../../../operation/problem.ts";
import type { Speech } from "../../../operation/service.ts";
import type { problems } from "../problems.ts";
import { HTML, MEDIA_TYPES, quoted, SUFFIXES } from "./media.ts";
import { isLogin, settingsOf } from "./speech.ts";
import { typeErrorText, violationsOf } from "./violations.ts";

/** At the sign-in, which takes JSON alone and is not there for anything else. */
const SIGN_IN: Partial<Record<Rejection["kind"], keyof typeof problems>> = {
  unsupportedMedia: "pathNotFound",
  malformedBody: "malformedLogin",
  invalidInput: "malformedLogin",
};

export function toRefusal(rejection: Rejection, speech: Speech): Refusal {
  const { exchange, operation } = speech;
  const signIn = isLogin(speech) ? SIGN_IN[rejection.kind] : undefined;
  if (signIn !== undefined) return refusal(signIn);
  switch (rejection.kind) {
    case "unknownPath":
      return operation !== undefined && exchange.suffix !== undefined
        ? unknownFormat(exchange.suffix)
        : refusal("pathNotFound", { title: noRoute(exchange) });
    case "wrongMethod": {
      const allow = rejection.allow.join(", ");
      const title = `${noRoute(exchange)}: Method Not Allowed (Allow: ${allow})`;
      return refusal("methodNotAllowed", { title, headers: { Allow: allow } });
    }
    case "badTarget":
      return refusal("malformedTarget", { title: rejection.message });
    case "notAcceptable":
      return notAcceptable(rejection.accept, exchange.suffix);
    case "bodyTooLarge":
      return refusal("bodyTooLarge", { title: `The body is larger than ${rejection.limitBytes} bytes.` });
    case "unsupportedMedia":
      return unsupportedMedia(rejection.contentType, rejection.message);
    case "malformedBody":
      return malformedBody(rejection.message, exchange);
    case "invalidInput":
      return invalidInput(rejection.issues, speech);
  }
}

/** A path is known, and not in the form that its suffix asks for. */
export function unknownFormat(suffix: string): Refusal {
  return refusal("pathNotFound", { title: `Format "${suffix}" is not supported` });
}

function noRoute({ method, origin, base, path }: Exchange): string {
  return `No route found for "${method} ${origin}${base}${path}"`;
}

function notAcceptable(accept: string, suffix: string | undefined): Refusal {
  const own = suffix === undefined ? undefined : SUFFIXES[suffix];
  const offered = own === undefined ? MEDIA_TYPES : [own];
  return refusal("notAcceptable", {
    title: `Requested format "${accept}" is not supported. Supported MIME types are ${quoted(offered)}.`,
  });
}

function unsupportedMedia(contentType: string | undefined, message: string | undefined): Refusal {
  if (contentType === undefined)
    return refusal("unsupportedMedia", { title: 'The "Content-Type" header must exist.' });
  const title = `The content-type "${contentType}" is not supported. Supported MIME types are ${quoted(MEDIA_TYPES)}.`;
  return refusal("unsupportedMedia", { title: message ?? title });
}

/** What PHP's parser says of the bodies that it cannot read either; the sandbox has limits of its own. */
const PHP_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/not valid JSON|is empty/, "Syntax error"],
  [/UTF-8/, "Malformed UTF-8 characters, possibly incorrectly encoded"],
  [/nested/, "Maximum stack depth exceeded"],
];

/** A body sent as text/html is read as JSON; one that is none could only be the real thing, which nobody can read. */
function malformedBody(message: string, { headers }: Exchange): Refusal {
  const contentType = headers.get("content-type") ?? "";
  if (contentType.split(";")[0]?.trim() === HTML) return unsupportedMedia(contentType, undefined);
  const [, phpText] = PHP_TEXTS.find(([pattern]) => pattern.test(message)) ?? [];
  return refusal("malformedBody", { title: phpText ?? `The body cannot be read: ${message}.` });
}

function invalidInput(issues: readonly Issue[], speech: Speech): Refusal {
  const { exchange, operation } = speech;
  const schema = operation?.request.body;
  const key = operation?.invalid;
  // Path and query are texts to their schemas; what they mean is the handlers' business.
  if (schema === undefined || key === undefined) return refusal("malformedTarget");
  const { typeErrors, nulls } = settingsOf(speech);
  const told = nulls === 422 ? issues.map(nullAsMissing) : issues;
  const typeError = typeErrorText(told, schema, exchange.body);
  const asViolation = typeErrors === 422 && told.every(({ path }) => path.length > 0);
  if (typeError !== undefined && !asViolation) return refusal("malformedBody", { title: typeError });
  // A presale that is not there is a problem of its own, unless more is wrong.
  const problem = told.every(({ message }) => message === "UnknownPreSale") ? "unknownPreSale" : key;
  return refusal(problem, { violations: violationsOf(told, schema) });
}

function nullAsMissing(issue: Issue): Issue {
  return issue.received === null && issue.path.length > 0 ? { ...issue, received: undefined } : issue;
}
