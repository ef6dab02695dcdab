/** Operations on the user's profile. Source: common-account-billing, Endpoints. */

import { z } from "zod";
import { type AccountCall, bodyProblems, defineAccountOperation, operationDefaults } from "../operation.ts";
import { mapProfile, PasswordInput, User, UserInput } from "../schemas.ts";
import { type AccountState, getExampleUser } from "../state.ts";

const group = { ...operationDefaults, tag: "Users" } as const;
const params = {
  id: z.string().meta({
    description: "Always `me`: the user of the token.",
    wire: { type: "string", enum: ["me"] },
  }),
};

function findUser({ params: { id }, identity, state, fail }: AccountCall<typeof params, "userNotFound">) {
  const user = id === "me" ? state.users.get(String(identity.uid)) : undefined;
  return user ?? fail("userNotFound");
}

const me = { params: { id: "me" } };
const getExampleProfile = (state: AccountState) => state.users.get(String(getExampleUser(state)?.uid));

export const getUser = defineAccountOperation({
  ...group,
  method: "get",
  path: "/users/{id}",
  summary: "Get the user's profile",
  description: "The profile of the user of the token.",
  request: { params },
  responses: { 200: User },
  problems: ["userNotFound", "notAcceptable"],
  resource: findUser,
  handle: ({ resource, reply }) => reply(200, resource),
  example: (state) => ({ ...me, reply: getExampleProfile(state) }),
});

export const replaceUser = defineAccountOperation({
  ...group,
  method: "put",
  path: "/users/{id}",
  summary: "Replace the user's profile",
  description: ({ profilePut }) =>
    profilePut === "merge" ? "Omitted fields stay as they are." : "Omitted fields become null.",
  request: { params, body: UserInput },
  responses: { 200: User },
  problems: ["malformedBody", "invalidProfile", "userNotFound", ...bodyProblems],
  invalid: "invalidProfile",
  resource: findUser,
  handle({ resource, body, state, settings, reply }) {
    const { uid, email, ...before } = resource;
    const sent = settings.profilePut === "merge" ? { ...before, ...body } : body;
    const user = { uid, email, ...mapProfile((field) => sent[field] ?? null) };
    return reply(200, state.users.set(String(uid), user));
  },
  example(state) {
    const body = { fullname: "Ada Byrne", invoicing_city: "Torino", invoicing_province: "TO" };
    const user = getExampleProfile(state);
    return { ...me, body, reply: user && { ...user, ...mapProfile(() => null), ...body } };
  },
});

export const changePassword = defineAccountOperation({
  ...group,
  method: "put",
  path: "/users/{id}/change-password",
  summary: "Change the user's password",
  description: "The next login requires the new password. Issued tokens stay valid.",
  source: `${group.source}; Assumed: issued tokens stay valid`,
  request: { params, body: PasswordInput },
  responses: { 200: User },
  problems: ["malformedBody", "weakPassword", "userNotFound", ...bodyProblems],
  invalid: "weakPassword",
  resource: findUser,
  handle({ resource, body, identity, state, reply }) {
    state.world.identities.setPassword(state.environment, identity.name, body.password);
    return reply(200, resource);
  },
  example: (state) => ({ ...me, body: { password: "Vitrine!2027" }, reply: getExampleProfile(state) }),
});
