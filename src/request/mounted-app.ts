/** The sandbox as a part of another Hono app: `app.route("/mock", sandbox.app)`. Its links carry the prefix. */

import { Hono } from "hono";
import { basePath } from "hono/route";
import type { Router } from "./router.ts";
import { toResponse } from "./sent.ts";
import { WebRequest } from "./web-request.ts";

/** A Hono app with one way in for every path; `routerAt` returns the router below a prefix, `/mock` or empty. */
export function mountedApp(routerAt: (prefix: string) => Pick<Router, "answer">): object {
  return new Hono().all("*", async (context) => {
    const prefix = basePath(context).replace(/\/+$/, "");
    return toResponse(await routerAt(prefix).answer(new WebRequest(context.req.raw)));
  });
}
