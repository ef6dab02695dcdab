/** What the account offers next to its own API: tokens of every kind, keys to verify them, simulated invoices. */

import { z } from "zod";
import { operation, shared } from "../operation.ts";
import { Jwks, Receipt, TokenInput, TokenView, UsageInput } from "../schemas.ts";

export const account = {
  createToken: operation({
    method: "post",
    path: "/tokens",
    summary: "Create a token without a login",
    description: "A good one, or one that is wrong in a known way. Does not count towards the login limit.",
    tag: "account",
    ...shared,
    request: { body: TokenInput },
    responses: { 201: TokenView },
    problems: ["malformedBody", "invalidInput"],
    handle: async ({ body, state, reply }) => reply(201, { token: await state.auth.token(body) }),
    example: () => ({ body: { kind: "expired" } }),
  }),

  getJwks: operation({
    method: "get",
    path: "/jwks/{environment}",
    summary: "Show the keys that the tokens of an environment are checked with",
    tag: "account",
    ...shared,
    request: {
      params: {
        environment: z.string().meta({ description: "account or production, accountSandbox or sandbox." }),
      },
    },
    responses: { 200: Jwks },
    problems: ["unknownName"],
    handle: async ({ params, state, reply }) => reply(200, await state.auth.keys(params.environment)),
    example: () => ({ params: { environment: "account" } }),
  }),

  recordUsage: operation({
    method: "post",
    path: "/usage",
    summary: "Simulate invoices",
    description:
      "They use up presales, make consumptions and trigger presale actions, whose mails are in the answer.",
    tag: "account",
    ...shared,
    request: { body: UsageInput },
    responses: { 200: Receipt },
    problems: ["malformedBody", "invalidInput"],
    handle: async ({ body, state, reply }) => reply(200, await state.usage.record(body)),
    example: () => ({ body: { sent: 10, received: 5 } }),
  }),
};
