/** The sandbox as a part of another Hono app: `app.route("/mock", sandbox.app)`. Its links carry the prefix. */

import { Hono } from "hono";
import { basePath } from "hono/route";
import type { Asked } from "../operation/asked.ts";
import { type Sent, toResponse } from "./sent.ts";
import { WebRequest } from "./web-request.ts";

/** A Hono app with one way in for every path; `answer` is given the prefix that it is below, `/mock` or empty. */
export function mountedApp(answer: (prefix: string, asked: Asked) => Sent | Promise<Sent>): object {
  return new Hono().all("*", async (context) => {
    const prefix = basePath(context).replace(/\/+$/, "");
    return toResponse(await answer(prefix, new WebRequest(context.req.raw)));
  });
}
