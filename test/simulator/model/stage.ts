// What a scenario makes of a moment: settings in place of those of the last one, its rules, its data.

import type { ScenarioText, SettingsText } from "../steps.ts";
import { DEFAULTS, type Moment, type PreSale, type Settings, type SpecialEvent } from "./moment.ts";
import { toMs } from "./rules.ts";

export function staged(moment: Moment, { settings = {}, rules = [], data = {} }: ScenarioText): Moment {
  const scenario = rules.map((rule) => ({ ...rule, since: moment.now, counts: {} }));
  const events = data.museum?.specialEvents.replace as readonly SpecialEvent[] | undefined;
  const preSales = data.account?.preSales.replace as readonly PreSale[] | undefined;
  const changed = { ...moment, scenario, settings: settingsOf(settings), events: events ?? moment.events };
  return preSales === undefined ? changed : { ...changed, account: withPreSales(moment.account, preSales) };
}

/** Actions go with the presale that they watch. */
function withPreSales(account: Moment["account"], preSales: readonly PreSale[]): Moment["account"] {
  const preSaleActions = account.preSaleActions.filter(({ pre_sale_uuid }) =>
    preSales.some(({ uuid }) => uuid === pre_sale_uuid),
  );
  return { ...account, preSales, preSaleActions };
}

function settingsOf({ museum = {}, account = {} }: SettingsText): Settings {
  return {
    clampLimit: museum.limitAboveMaximum === "clamp",
    validationStatus: museum.validationStatus ?? DEFAULTS.validationStatus,
    strict: museum.strict ?? DEFAULTS.strict,
    pageSize: account.pageSize ?? DEFAULTS.pageSize,
    tokenMs: account.tokenLifetime === undefined ? DEFAULTS.tokenMs : toMs(account.tokenLifetime),
    mergeProfile: account.profilePut === "merge",
    onRepeat: account.login?.onRepeat ?? DEFAULTS.onRepeat,
  };
}
