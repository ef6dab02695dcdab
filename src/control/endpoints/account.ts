/** Endpoints of the account: valid and invalid tokens, the keys that verify them, and simulated invoices. */

import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";
import { environment, instant, list, model, text, user } from "../schemas/parts.ts";

const kind = text("`valid` (default), or a kind of invalid token, such as `expired`.").optional();
export const TokenInput = model("TokenInput", { user, environment, kind });
export const IssuedTokenList = list(
  model("IssuedToken", {
    environment: text("The environment that accepts the token."),
    user: text("The user who logged in."),
    issued: instant("When the login returned the token."),
    expires: instant("When the token expires."),
    nextLogin: instant("When the user may log in again. Absent: immediately.").optional(),
  }),
);
const TokenView = model("Token", { token: text("A JSON Web Token for `Authorization: Bearer`.") });
export const JwksView = model("Jwks", {
  keys: list(z.record(z.string(), z.unknown())).describe("Public keys as JSON Web Keys."),
});
const createCountField = (about: string) =>
  z.number().describe(`${about} From 0 to 1,000,000. Default: 0.`).optional();
export const UsageInput = model("UsageInput", {
  sent: createCountField("Number of sent invoices."),
  received: createCountField("Number of received invoices."),
  at: instant("When the invoices were processed. Default: now.").optional(),
  user,
  environment,
});
export const UsageView = z
  .looseObject({
    environment: text("The environment of the user."),
    user: text("The user name."),
    at: instant("When the invoices were processed."),
  })
  .meta({ id: "UsageReceipt" });

export const account = {
  createToken: defineEndpoint({
    route: "POST /tokens",
    summary: "Create a token without a login",
    description: "`kind` selects a valid or an invalid token. Does not count towards the login limit.",
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
    summary: "List valid tokens that logins returned",
    description: "The newest first. The tokens themselves are omitted.",
    tag: "account",
    answer: IssuedTokenList,
    run: ({ sandbox }) => sandbox.auth.tokens(),
    methods: { "auth.tokens": {} },
  }),

  clearThrottle: defineEndpoint({
    route: "DELETE /throttle/{user}",
    summary: "Let a user log in again immediately",
    description: "Earlier tokens of the user stay valid.",
    tag: "account",
    params: { user: z.string().describe("The user name.") },
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
    description: "Public keys as a JSON Web Key Set.",
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
    description: "Uses up presales, creates consumptions and triggers presale actions. Returns the mails.",
    tag: "account",
    body: UsageInput,
    answer: UsageView,
    run: ({ body, sandbox }) => sandbox.usage.record(body),
    methods: { "usage.record": { request: (usage) => ({ body: usage }) } },
    example: () => ({ body: { sent: 10, received: 5 } }),
  }),
};
