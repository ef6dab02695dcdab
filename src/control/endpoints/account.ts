/** What the account offers next to its own API: tokens of every kind, keys to verify them, simulated invoices. */

import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";
import { environment, instant, list, model, text, user } from "../schemas/parts.ts";

const kind = text("valid (default), expired, …").optional();
export const TokenInput = model("TokenInput", { user, environment, kind });
export const IssuedTokenList = list(
  model("IssuedToken", {
    environment: text("The environment that it is good for."),
    user: text("The name that logged in."),
    issued: instant("When it was handed out."),
    expires: instant("When it ends."),
    nextLogin: instant("When its user may log in again; left out: now.").optional(),
  }),
);
const TokenView = model("Token", { token: text("A JSON Web Token for `Authorization: Bearer`.") });
export const JwksView = model("Jwks", {
  keys: list(z.record(z.string(), z.unknown())).describe("Public keys as JSON Web Keys."),
});
const createCountField = (about: string) =>
  z.number().describe(`${about} From 0 to 1,000,000; default 0.`).optional();
export const UsageInput = model("UsageInput", {
  sent: createCountField("How many invoices were sent."),
  received: createCountField("How many invoices were received."),
  at: instant("When they went through; default: now.").optional(),
  user,
  environment,
});
export const UsageView = z
  .looseObject({
    environment: text("The environment of the account."),
    user: text("The name that logs in."),
    at: instant("When the invoices went through."),
  })
  .meta({ id: "UsageReceipt" });

export const account = {
  createToken: defineEndpoint({
    route: "POST /tokens",
    summary: "Create a token without a login",
    description: "A good one, or one that is wrong in a known way. Does not count towards the login limit.",
    tag: "account",
    body: TokenInput,
    answer: TokenView,
    created: true,
    run: ({ body, sandbox }) => ({ token: sandbox.auth.token(body) }),
    methods: { "auth.token": { request: (body = {}) => ({ body }), result: ({ token }) => token } },
    example: () => ({ body: { kind: "expired" } }),
  }),

  listTokens: defineEndpoint({
    route: "GET /tokens",
    summary: "List valid tokens of logins",
    description: "The newest first, without their texts.",
    tag: "account",
    answer: IssuedTokenList,
    run: ({ sandbox }) => sandbox.auth.tokens(),
    methods: { "auth.tokens": {} },
  }),

  clearThrottle: defineEndpoint({
    route: "DELETE /throttle/{user}",
    summary: "Let a user log in again immediately",
    description: "Tokens that were handed out stay good.",
    tag: "account",
    params: { user: z.string().describe("The name that logs in.") },
    query: { environment: z.string().optional().meta({ description: "Default: account." }) },
    problems: ["unknownName"],
    run: ({ params: { user }, query: { environment }, sandbox }) =>
      sandbox.auth.clearThrottle(user, environment),
    methods: {
      "auth.clearThrottle": {
        request: (user, environment) => ({ params: { user }, query: { environment } }),
      },
    },
    example: (sandbox) => ({
      params: { user: sandbox?.catalogue.credentials().at(-1)?.user ?? "ada@example.test" },
    }),
  }),

  getJwks: defineEndpoint({
    route: "GET /jwks/{environment}",
    summary: "Get the keys that verify tokens",
    description: "Public keys as a JSON Web Key Set, to check the signature of a token.",
    tag: "account",
    params: {
      environment: z.string().meta({ description: "account or production, accountSandbox or sandbox." }),
    },
    answer: JwksView,
    problems: ["unknownName"],
    run: ({ params, sandbox }) => sandbox.auth.keys(params.environment),
    methods: { "auth.keys": { request: (environment = "account") => ({ params: { environment } }) } },
    example: () => ({ params: { environment: "account" } }),
  }),

  recordUsage: defineEndpoint({
    route: "POST /usage",
    summary: "Simulate invoices",
    description:
      "They use up presales, make consumptions and trigger presale actions, whose mails are in the answer.",
    tag: "account",
    body: UsageInput,
    answer: UsageView,
    run: ({ body, sandbox }) => sandbox.usage.record(body),
    methods: { "usage.record": { request: (usage) => ({ body: usage }) } },
    example: () => ({ body: { sent: 10, received: 5 } }),
  }),
};
