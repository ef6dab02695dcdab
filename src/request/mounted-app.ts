/** The sandbox as a part of another Hono app: `app.route("/mock", sandbox.app)`. Its links carry the prefix. */

import { Hono } from "hono";
import { basePath } from "hono/route";
import { sandboxProblem } from "../operation/problem-json.ts";
import type { Router } from "./router.ts";
import { type Sent, toResponse } from "./sent.ts";
import { WebRequest } from "./web-request.ts";

/** A Hono app with one way in for every path; `routerAt` returns the router below a prefix, `/mock` or empty. */
export function mountedApp(routerAt: (prefix: string) => Pick<Router, "answer">): object {
  return new Hono().all("*", async (context) => {
    const prefix = basePath(context).replace(/\/+$/, "");
    return toResponse(playable(await routerAt(prefix).answer(new WebRequest(context.req.raw))));
  });
}

/** A wire fault needs the connection, which belongs to the other app. */
function playable(sent: Sent): Sent {
  if (sent.fault === undefined) return sent;
  const detail = `The fault ${sent.fault.kind} cannot be played inside another app. Call sandbox.fetch or an address of sandbox.listen.`;
  return sandboxProblem(501, detail);
}
