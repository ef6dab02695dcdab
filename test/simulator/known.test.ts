// The model is written by hand, apart from the product. Here the compiler compares the two: whatever the model lacks of the
// product is a mistake at once, unless it is left out on purpose.

import { expect, test } from "vitest";
import { problems as accountProblems } from "../../src/services/account/problems.ts";
import { AccountSettings } from "../../src/services/account/settings.ts";
import type * as account from "../../src/services/account/stored.ts";
import { problems as museumProblems } from "../../src/services/museum/problems.ts";
import type * as museum from "../../src/services/museum/schemas.ts";
import { MuseumSettings } from "../../src/services/museum/schemas.ts";
import type * as model from "./model/moment.ts";
import { STATUSES } from "./model/museum.ts";
import { TEXTS } from "./model/refusals.ts";
import { SETTINGS } from "./plan.ts";
import type { SettingsText } from "./steps.ts";

/** Problems that the model never answers with, and settings that its scenarios do not change. */
const LEFT_OUT = {
  museumProblems: [
    ["pathNotFound", "methodNotAllowed", "bodyTooLarge"],
    ["serverError", "notStored", "storageFull"],
  ],
  accountProblems: [
    ["malformedTarget", "unknownFormat", "invalidFilter", "methodNotAllowed", "bodyTooLarge"],
    ["serverError", "notStored", "storageFull"],
  ],
  museumSettings: [["errorDetail", "credentials", "pageBy", "strictDomain", "preview"]],
  accountSettings: [
    ["profile", "itemContext", "routeErrors", "dateTimes", "typeErrors", "nulls", "unknownPreSale"],
    ["algorithm", "strictTokens", "protectDocs", "entryPointUser", "badPage", "badFilter"],
    ["usage", "actionDuration", "fireOnCreate"],
  ],
  login: [["every", "status", "message", "countFailures"]],
  usage: [["pricePerInvoice"]],
} as const;

type Fields<T> = Readonly<Record<keyof T, unknown>>;
type Without<T, K extends keyof typeof LEFT_OUT> = Fields<Omit<T, (typeof LEFT_OUT)[K][number][number]>>;
type Varied<K extends keyof SettingsText> = Required<NonNullable<SettingsText[K]>>;
/** What the model must have, and what it has. The compiler names what is missing. */
type Served = {
  readonly specialEvent: Fields<museum.SpecialEvent>;
  readonly ticket: Fields<museum.StoredTicket>;
  readonly consumption: Fields<account.StoredConsumption>;
  readonly preSale: Fields<account.StoredPreSale>;
  readonly action: Fields<account.StoredPreSaleAction>;
  readonly museumProblems: Without<typeof museumProblems, "museumProblems">;
  readonly accountProblems: Without<typeof accountProblems, "accountProblems">;
  readonly museumSettings: Without<MuseumSettings, "museumSettings">;
  readonly accountSettings: Without<AccountSettings, "accountSettings">;
  readonly login: Without<AccountSettings["login"], "login">;
  readonly usage: Without<AccountSettings["usage"], "usage">;
};
export const asServed = (modelled: {
  readonly specialEvent: Required<model.SpecialEvent>;
  readonly ticket: Required<model.Ticket>;
  readonly consumption: model.Consumption;
  readonly preSale: model.PreSale;
  readonly action: Required<model.Action>;
  readonly museumProblems: typeof STATUSES;
  readonly accountProblems: typeof TEXTS;
  readonly museumSettings: Varied<"museum">;
  readonly accountSettings: Varied<"account">;
  readonly login: Varied<"account">["login"];
  readonly usage: object;
}): Served => modelled;

const drawn = (sets: readonly (object | undefined)[]) =>
  new Set(sets.flatMap((set) => Object.keys(set ?? {})));
test.each([
  ["museumProblems", museumProblems, Object.keys(STATUSES)],
  ["accountProblems", accountProblems, Object.keys(TEXTS)],
  ["museumSettings", MuseumSettings.shape, drawn(SETTINGS.map((set) => set.museum))],
  ["accountSettings", AccountSettings.shape, drawn(SETTINGS.map((set) => set.account))],
  ["login", AccountSettings.shape.login.unwrap().shape, drawn(SETTINGS.map((set) => set.account?.login))],
] as const)("%s: the simulator covers or explicitly omits each of them", (name, served, played) => {
  expect([...LEFT_OUT[name].flat(), ...played].sort()).toEqual(Object.keys(served).sort());
});
