/** Declares the common account and billing service. Document: common-account-billing, interface version 1.0.0. */

import type { CollectionDefinition, Service } from "../../operation/service.ts";
import { toNameKey } from "../../world/identities.ts";
import type { Entity } from "../../world/store.ts";
import { assumptions } from "./assumptions.ts";
import { getConsumption, listConsumptions } from "./operations/consumptions.ts";
import { login } from "./operations/login.ts";
import {
  createPreSaleAction,
  deletePreSaleAction,
  getPreSaleAction,
  listPreSaleActions,
  replacePreSaleAction,
} from "./operations/pre-sale-actions.ts";
import { getPreSale, listPreSales } from "./operations/pre-sales.ts";
import { changePassword, getUser, replaceUser } from "./operations/users.ts";
import { probes } from "./probes.ts";
import { buildAccountProblems, problems } from "./problems.ts";
import { buildAccountIntro, documents, redirectSlash } from "./render/documents.ts";
import { buildCodecForms, codec } from "./render/index.ts";
import { bearer } from "./security.ts";
import { generate, rebase } from "./seed.ts";
import { AccountSettings } from "./settings.ts";
import { type AccountState, createAccountState } from "./state.ts";
import {
  StoredConsumption,
  StoredIdentity,
  StoredPreSale,
  StoredPreSaleAction,
  StoredUser,
} from "./stored.ts";

/** Operations in the order of the document. The header `Allow`, the OpenAPI document and the manual's tables have the same order. */
export const accountOperations = {
  login,
  listConsumptions,
  getConsumption,
  listPreSales,
  getPreSale,
  listPreSaleActions,
  createPreSaleAction,
  getPreSaleAction,
  replacePreSaleAction,
  deletePreSaleAction,
  getUser,
  replaceUser,
  changePassword,
};

const getUuid = ({ uuid }: Entity): string => toNameKey(String(uuid));

export const accountCollections = {
  users: { schema: StoredUser, key: (entity: Entity) => String(entity["uid"]) },
  identities: { schema: StoredIdentity, key: (entity: Entity) => toNameKey(String(entity["name"])) },
  consumptions: { schema: StoredConsumption, key: getUuid },
  preSales: { schema: StoredPreSale, key: getUuid },
  preSaleActions: { schema: StoredPreSaleAction, key: getUuid, references: { pre_sale_uuid: "preSales" } },
} satisfies Readonly<Record<string, CollectionDefinition>>;

export const account: Service = {
  name: "account",
  title: "Common account and billing",
  version: "1.0.0",
  description: "Login, consumptions, presale packages, presale actions, and the user's profile.",
  introduction: (settings: AccountSettings, server: string, state: AccountState) =>
    buildAccountIntro(settings, server, login.example(state).body),
  tags: {
    Login: "Obtain a bearer token.",
    Consumptions: "Usage by year and month that no presale package covers.",
    Presales: "Packages of credit, bought in advance.",
    "Presale actions": "Mails for presales whose credit falls below a threshold.",
    Users: "The user's own profile and password.",
  },
  environments: [
    { key: "account", name: "production", base: "/account", ownBase: "" },
    { key: "accountSandbox", name: "sandbox", base: "/account-sandbox", ownBase: "" },
  ],
  observed: true,
  problems,
  security: { bearer },
  settings: AccountSettings,
  collections: accountCollections,
  operations: accountOperations,
  documents,
  slashed: redirectSlash,
  suffixes: true,
  allowsDeclared: true, // Assumed: the header `Allow` omits HEAD and OPTIONS, as in Symfony.
  codec,
  assumptions,
  probes,
  answersUnder(settings) {
    const own = settings as AccountSettings; // Safe cast: the sandbox passes validated settings of this service.
    return { problems: buildAccountProblems(own), codec: { ...codec, ...buildCodecForms(own) } };
  },
  state: createAccountState,
  callers: ({ identities }, { key }) =>
    identities
      .of(key)
      .all()
      .map(({ name }) => name),
  rebase,
  generate,
};
