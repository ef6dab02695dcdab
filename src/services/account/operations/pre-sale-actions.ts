/** Operations on presale actions, which send a mail when credit is low. Source: common-account-billing, Endpoints. */

import { noContent } from "../../../operation/operation.ts";
import type { Timestamp } from "../../../world/time.ts";
import { applyCreditChange, isArmed, isRunning, parseCredit } from "../alerts.ts";
import {
  type Account,
  type AccountCall,
  bodyProblems,
  defineAccountOperation,
  operationDefaults,
} from "../operation.ts";
import { buildPage, readPage } from "../paging.ts";
import {
  PreSaleAction,
  PreSaleActionInput,
  PreSaleActionPage,
  pageParameter,
  toDateTime,
  uuidParameter,
} from "../schemas.ts";
import { type AccountState, findOwned, listExampleEntities, listOwned, sortOldestFirst } from "../state.ts";
import type { StoredPreSaleAction } from "../stored.ts";

const group = { ...operationDefaults, tag: "Presale actions" } as const;
const params = { uuid: uuidParameter };

function findAction(call: AccountCall<typeof params, "preSaleActionNotFound">) {
  const { params, identity, state, fail } = call;
  return findOwned(identity, state.preSaleActions, params.uuid) ?? fail("preSaleActionNotFound");
}

const listExampleActions = (state: AccountState) =>
  sortOldestFirst(listExampleEntities(state, state.preSaleActions));
const toActionParams = (action?: StoredPreSaleAction) => ({ params: { uuid: action?.uuid ?? "" } });
/** Returns an example request body, and the action that the response contains. */
const buildActionExample = (state: AccountState, action: StoredPreSaleAction | undefined) => {
  const body = {
    threshold: 100,
    action_type: "alert_mail",
    target: "ops@example.test",
    enabled: true,
    pre_sale_uuid: listExampleEntities(state, state.preSales)[0]?.uuid ?? "",
  };
  return { body, reply: action && { ...toOutput(action, 0), ...body } };
};

type ActionDraft = Pick<Account, "identity" | "state"> & { readonly body: Partial<PreSaleActionInput> };
function checkPreSale({ body: { pre_sale_uuid: uuid }, identity, state }: ActionDraft) {
  const known = uuid === undefined || findOwned(identity, state.preSales, uuid) !== undefined;
  return known ? [] : [{ path: ["pre_sale_uuid"], message: "UnknownPreSale" }];
}

export const listPreSaleActions = defineAccountOperation({
  ...group,
  method: "get",
  path: "/pre-sale-actions",
  summary: "List presale actions",
  description: "The user's actions, in order of creation.",
  request: { query: { page: pageParameter } },
  responses: { 200: PreSaleActionPage },
  problems: ["invalidPage", "notAcceptable"],
  handle({ query, identity, state, settings, now, reply }) {
    const page = readPage(query.page, settings);
    if (typeof page === "object") return page;
    const actions = listOwned(identity, state.preSaleActions, sortOldestFirst);
    const { items, ...rest } = buildPage(actions, page, settings.pageSize);
    return reply(200, { ...rest, items: items.map((action) => toOutput(action, now)) });
  },
  example(state) {
    const actions = listExampleActions(state).map((action) => toOutput(action, 0));
    return { query: { page: "1" }, reply: buildPage(actions, 1n, 30) };
  },
});

export const createPreSaleAction = defineAccountOperation({
  ...group,
  method: "post",
  path: "/pre-sale-actions",
  summary: "Create a presale action",
  description: "Sends a mail to `target` each time the credit of the presale falls below `threshold`.",
  request: { body: PreSaleActionInput },
  responses: { 201: PreSaleAction },
  headers: { Location: "The IRI of the new action." },
  problems: ["malformedBody", "invalidAction", "unknownPreSale", ...bodyProblems],
  invalid: "invalidAction",
  rules: { body: checkPreSale },
  handle({ body, identity, state, settings, now, reply, fail }) {
    const preSale = findOwned(identity, state.preSales, body.pre_sale_uuid);
    if (preSale === undefined) return fail("unknownPreSale"); // The presale was removed while a rule delayed the request.
    const stamp = toDateTime(now);
    const uuid = state.world.random.uuid(`${state.environment}/preSaleActions`);
    const action = state.preSaleActions.set(uuid, {
      ...body,
      uuid,
      created_at: stamp,
      updated_at: stamp,
      pre_sale_uuid: preSale.uuid,
      owner: identity.uid,
      armed: true,
      running_until: 0,
    });
    if (settings.fireOnCreate) {
      applyCreditChange(state, action, { preSale, before: parseCredit(preSale), at: now, settings });
    }
    const shown = toOutput(state.preSaleActions.get(action.uuid) ?? action, now);
    return reply(201, shown, { Location: `/pre-sale-actions/${action.uuid}` });
  },
  example(state) {
    const [action] = listExampleActions(state);
    return buildActionExample(state, action && { ...action, uuid: "0b6d1f0e-5d0a-4c57-9a53-6a4f5a2f7c11" });
  },
});

export const getPreSaleAction = defineAccountOperation({
  ...group,
  method: "get",
  path: "/pre-sale-actions/{uuid}",
  summary: "Get a presale action",
  description: "`running` is true while its mail is being sent.",
  request: { params },
  responses: { 200: PreSaleAction },
  problems: ["preSaleActionNotFound", "notAcceptable"],
  resource: findAction,
  handle: ({ resource, now, reply }) => reply(200, toOutput(resource, now)),
  example(state) {
    const [action] = listExampleActions(state);
    return { ...toActionParams(action), reply: action && toOutput(action, 0) };
  },
});

export const replacePreSaleAction = defineAccountOperation({
  ...group,
  method: "put",
  path: "/pre-sale-actions/{uuid}",
  summary: "Replace a presale action",
  description:
    "Replaces all fields. If the presale changes, or the threshold is at or below the credit, the action can be triggered again.",
  request: { params, body: PreSaleActionInput },
  responses: { 200: PreSaleAction },
  problems: ["malformedBody", "invalidAction", "unknownPreSale", "preSaleActionNotFound", ...bodyProblems],
  invalid: "invalidAction",
  rules: { body: checkPreSale },
  resource: findAction,
  handle({ resource, body, identity, state, now, reply, fail }) {
    const preSale = findOwned(identity, state.preSales, body.pre_sale_uuid);
    if (preSale === undefined) return fail("unknownPreSale"); // The presale was removed while a rule delayed the request.
    const armed = resource.armed || resource.pre_sale_uuid !== preSale.uuid;
    const action = state.preSaleActions.set(resource.uuid, {
      ...resource,
      ...body,
      pre_sale_uuid: preSale.uuid,
      updated_at: toDateTime(now),
      armed: isArmed({ armed, threshold: body.threshold }, parseCredit(preSale)),
    });
    return reply(200, toOutput(action, now));
  },
  example(state) {
    const [action] = listExampleActions(state);
    return { ...toActionParams(action), ...buildActionExample(state, action) };
  },
});

export const deletePreSaleAction = defineAccountOperation({
  ...group,
  method: "delete",
  path: "/pre-sale-actions/{uuid}",
  summary: "Delete a presale action",
  description: "A deleted action sends no more mails.",
  request: { params },
  responses: { 204: noContent },
  problems: ["preSaleActionNotFound", "notAcceptable"],
  resource: findAction,
  handle({ resource, state, reply }) {
    state.preSaleActions.remove(resource.uuid);
    return reply(204);
  },
  example: (state) => toActionParams(listExampleActions(state).at(-1)),
});

function toOutput(action: StoredPreSaleAction, now: Timestamp): PreSaleAction {
  const { owner: _owner, armed: _armed, running_from: _from, running_until: _until, ...shown } = action;
  return { ...shown, running: isRunning(action, now) };
}
