/** The sandbox as a part of another Hono app: `app.route("/mock", sandbox.app)`. Its links carry the prefix. */

import { Hono } from "hono";
import type { Asked } from "../operation/asked.ts";
import { type Sent, toResponse } from "./sent.ts";
import { WebRequest } from "./web-request.ts";

/**
 * Returns an app that passes every request to `answer`, with the prefix that the app is mounted at: `/mock` or empty.
 * The context may belong to another copy of Hono. It therefore reads only public members, without Hono's own helpers.
 */
export function mountedApp(answer: (prefix: string, asked: Asked) => Sent | Promise<Sent>): Hono {
  return new Hono().all("*", async ({ req }) => {
    const asked = new WebRequest(req.raw);
    const depth = req.routePath.replaceAll(/\{[^}]*\}/g, "").split("/").length - 1; // 2 of `/:id{[0-9]+}/mock/*`
    const prefix = asked.address.pathname.split("/").slice(0, depth).join("/");
    return toResponse(await answer(prefix, asked));
  });
}
