// The model of the account: who calls, what is checked in which order, and what is read. What is written is in `writes.ts`.

import type { Asked, Expected, Learn, Service, Worked } from "./life.ts";
import { checkLogin, logIn } from "./login.ts";
import type { Action, Consumption, Moment } from "./moment.ts";
import { accountOf, findOwned, found, latestFirst, oldestFirst, owned, shown } from "./owned.ts";
import { refuse } from "./refusals.ts";
import type { Tokens } from "./tokens.ts";
import {
  checkAction,
  checkPassword,
  checkProfile,
  createAction,
  replaceAction,
  writeUser,
} from "./writes.ts";

type Fields = Readonly<Record<string, unknown>>;

export function accountService(tokens: Tokens): Service {
  return {
    refusal: (_moment, _asked, problem) => refuse(problem),
    caller: (moment, asked, at) => callerOf(moment, asked, at, tokens),
    early,
    late,
    work: (moment, asked, user, at, learn) =>
      asked.operation === "login"
        ? logIn(moment, asked, at, tokens, learn)
        : work(moment, asked, user, at, learn),
  };
}

function callerOf(moment: Moment, asked: Asked, at: number, tokens: Tokens): { user: string } | Expected {
  if (asked.operation === "login") return { user: "" };
  const [, token] = /^Bearer ([^ ]+)$/.exec(asked.headers["authorization"] ?? "") ?? [];
  if (token === undefined) return refuse("tokenMissing");
  const { user, problem } = tokens.judge(token, asked, at);
  if (problem !== undefined && problem !== "accessDenied") return refuse(problem);
  const identity = accountOf(moment, asked).identities.find(({ name }) => name === user);
  if (identity === undefined || identity.disabled === true) return refuse("badCredentials");
  return problem === undefined ? { user: identity.name } : refuse(problem);
}

function early(moment: Moment, asked: Asked, user: string, _at: number): Expected | undefined {
  const { operation, headers } = asked;
  if (operation === "login") return undefined;
  if (headers["accept"] === "text/plain") return refuse("notAcceptable");
  const { uid } = identityOf(moment, asked, user);
  const account = accountOf(moment, asked);
  switch (operation) {
    case "getConsumption":
      return found(account.consumptions, asked, uid) ? undefined : refuse("consumptionNotFound");
    case "getPreSale":
      return found(account.preSales, asked, uid) ? undefined : refuse("preSaleNotFound");
    case "getPreSaleAction":
    case "replacePreSaleAction":
    case "deletePreSaleAction":
      return found(account.preSaleActions, asked, uid) ? undefined : refuse("preSaleActionNotFound");
    case "getUser":
    case "replaceUser":
    case "changePassword":
      return asked.id === "me" ? undefined : refuse("userNotFound");
    default:
      return undefined;
  }
}

function late(moment: Moment, asked: Asked, user: string, _at: number): Expected | undefined {
  const { operation, method, media, value } = asked;
  if (operation === "login") return checkLogin(asked);
  if (method !== "POST" && method !== "PUT") return undefined;
  if (media !== "application/json") return refuse("unsupportedMedia");
  if (typeof value !== "object" || value === null) return refuse("malformedBody");
  const fields: Fields = Array.isArray(value) ? {} : (value as Fields);
  if (operation === "replaceUser") return checkProfile(fields);
  if (operation === "changePassword") return checkPassword(fields);
  const { uid } = identityOf(moment, asked, user);
  return checkAction(fields, (uuid) => findOwned(accountOf(moment, asked).preSales, uuid, uid) !== undefined);
}

function work(moment: Moment, asked: Asked, user: string, at: number, learn: Learn): Worked {
  const account = accountOf(moment, asked);
  const identity = identityOf(moment, asked, user);
  const { uid } = identity;
  const one = (body: unknown): Worked => ({ moment, expected: { status: 200, body } });
  switch (asked.operation) {
    case "listConsumptions":
      return list(
        moment,
        asked,
        filtered(latestFirst(owned(account.consumptions, uid)), asked.query),
        without,
      );
    case "listPreSales":
      return list(moment, asked, oldestFirst(owned(account.preSales, uid)), without);
    case "listPreSaleActions":
      return list(moment, asked, oldestFirst(owned(account.preSaleActions, uid)), (action) =>
        shown(action, at),
      );
    case "getConsumption":
      return one(without(found(account.consumptions, asked, uid)));
    case "getPreSale":
      return one(without(found(account.preSales, asked, uid)));
    case "getPreSaleAction":
      return one(shown(found(account.preSaleActions, asked, uid) as Action, at));
    case "createPreSaleAction":
      return createAction(moment, asked, uid, at, learn);
    case "replacePreSaleAction":
      return replaceAction(moment, asked, found(account.preSaleActions, asked, uid) as Action, at);
    case "deletePreSaleAction": {
      const { uuid } = found(account.preSaleActions, asked, uid) as Action;
      const preSaleActions = account.preSaleActions.filter((action) => action.uuid !== uuid);
      const changed = { ...moment, [asked.environment]: { ...account, preSaleActions } };
      return { moment: changed, expected: { status: 204 } };
    }
    default:
      return writeUser(moment, asked, identity);
  }
}

/** The identity of a caller that was recognised. */
function identityOf(moment: Moment, asked: Asked, user: string) {
  const identity = accountOf(moment, asked).identities.find(({ name }) => name === user);
  if (identity === undefined) throw new Error(`the model knows no ${user}`);
  return identity;
}

/** As it is shown: without its owner. */
function without(entity: { readonly owner: number } | undefined): unknown {
  const { owner: _owner, ...rest } = entity ?? { owner: 0 };
  return rest;
}

/** A filter that holds anything but whole numbers is ignored. */
function filtered(consumptions: readonly Consumption[], query: Asked["query"]): readonly Consumption[] {
  const wanted = (field: "year" | "month") => {
    const texts = query.filter(([name]) => name === field || name === `${field}[]`).map(([, text]) => text);
    return texts.length > 0 && texts.every((text) => /^(0|[1-9]\d*)$/.test(text)) ? texts : undefined;
  };
  const [years, months] = [wanted("year"), wanted("month")];
  return consumptions.filter(
    ({ year, month }) =>
      (years === undefined || years.includes(String(year))) &&
      (months === undefined || months.includes(String(month))),
  );
}

function list<T>(moment: Moment, { query }: Asked, all: readonly T[], show: (item: T) => unknown): Worked {
  const text = query.find(([name]) => name === "page")?.[1] ?? "1";
  const page = Number.parseInt(text, 10) || 0;
  if (page < 1) return { moment, expected: refuse("invalidPage") };
  const { pageSize } = moment.settings;
  const items = all.slice((page - 1) * pageSize, page * pageSize).map(show);
  return { moment, expected: { status: 200, body: items, list: { items, total: all.length } } };
}
