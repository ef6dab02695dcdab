// A world with one account environment, two users and nothing else: what the tests of usage and alerts start from.

import type { Environment } from "../../src/operation/service.ts";
import { AccountSettings } from "../../src/services/account/settings.ts";
import { createAccountState } from "../../src/services/account/state.ts";
import type { StoredPreSale, StoredPreSaleAction, StoredUser } from "../../src/services/account/stored.ts";
import { recordUsage, type Usage } from "../../src/services/account/usage.ts";
import type { WallClock } from "../../src/world/clock.ts";
import { World } from "../../src/world/world.ts";

export const production: Environment = {
  key: "account",
  name: "production",
  base: "/account",
  ownBase: "",
};
export const NOW = "2026-03-01T09:00:00Z";
export const ada = { name: "ada@example.test", password: "secret-1!", uid: 1, roles: {} };
export const bob = { name: "bob@example.test", password: "secret-2!", uid: 2, roles: {} };

export function billing(settings: unknown = {}, wall?: WallClock) {
  const world = new World({ seed: 1, wall, clock: { mode: "frozen", at: Date.parse(NOW) } });
  for (const identity of [ada, bob]) world.identities.add(production.key, identity);
  const state = createAccountState(world, production);
  const checked = AccountSettings.parse(settings);
  return { world, state, settings: checked, record: (usage: Usage) => recordUsage(state, usage, checked) };
}

export function preSale(fields: Partial<StoredPreSale> & { readonly uuid: string }): StoredPreSale {
  return {
    created_at: "2026-01-01T00:00:00+00:00",
    valid_until: "2026-12-31T23:59:59+00:00",
    total_credit_purchased: "100.00",
    current_credit_available: "100.00",
    current_credit_purchased: "100.00",
    invoices_sent: 0,
    invoices_received: 0,
    owner: ada.uid,
    ...fields,
  };
}

export function alertAction(fields: Partial<StoredPreSaleAction> = {}): StoredPreSaleAction {
  return {
    uuid: "watch",
    created_at: "2026-01-01T00:00:00+00:00",
    updated_at: "2026-01-01T00:00:00+00:00",
    threshold: 10,
    action_type: "alert_mail",
    target: "ops@example.test",
    enabled: true,
    pre_sale_uuid: "old",
    owner: ada.uid,
    armed: true,
    running_until: 0,
    ...fields,
  };
}

export function profile(fullname: string): StoredUser {
  return {
    uid: ada.uid,
    email: ada.name,
    fullname,
    invoicing_vat_number: null,
    invoicing_fiscal_id: null,
    invoicing_address: null,
    invoicing_city: null,
    invoicing_province: null,
    invoicing_cap: null,
    invoicing_name: null,
    invoicing_country: null,
    invoicing_sdi_recipient_code: null,
    invoicing_sdi_pec: null,
  };
}
