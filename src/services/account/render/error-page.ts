// Owns the page of a refusal for a client that wants HTML. It repeats nothing of the request.
// Assumed: Symfony's page of this kind.

import { html } from "hono/html";
import { pageHeaders, styleElement } from "./style.ts";

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
};

export function errorPage(status: number): {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
} {
  const phrase = PHRASES[status] ?? "Error";
  const body = html`<!DOCTYPE html>
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
`;
  return { headers: { ...pageHeaders, "content-type": "text/html; charset=UTF-8" }, body: String(body) };
}
