// The model of what users write: presale actions, profile and password.

import type { AccountKey } from "../operations.ts";
import { cents } from "./billing.ts";
import type { Asked, Expected, Learn, Worked } from "./life.ts";
import {
  type Action,
  type Identity,
  type Moment,
  nextOf,
  toDateTime,
  withAccount,
  withNext,
} from "./moment.ts";
import { accountOf, findOwned, shown } from "./owned.ts";
import { refuse } from "./refusals.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Everything of another JSON type is 400; otherwise everything that is missing or breaks a rule is 422. */
function judge(
  problem: string,
  fields: Fields,
  rules: readonly (readonly [
    name: string,
    type: (value: unknown) => boolean,
    rule: (value: never) => boolean,
  ])[],
): Expected | undefined {
  const sent = rules.filter(([name]) => Object.hasOwn(fields, name));
  if (sent.some(([name, type]) => !type(fields[name]))) return refuse("malformedBody");
  const wrong = rules.filter(
    ([name, , rule]) => !Object.hasOwn(fields, name) || !rule(fields[name] as never), // of the rule's type, as checked above
  );
  return wrong.length === 0
    ? undefined
    : refuse(
        problem,
        wrong.map(([name]) => name),
      );
}

const isText = (value: unknown): boolean => typeof value === "string";
const isWhole = (value: unknown): boolean => Number.isInteger(value);
const isFlag = (value: unknown): boolean => typeof value === "boolean";

export function checkAction(fields: Fields, isPreSale: (uuid: string) => boolean): Expected | undefined {
  const refusal = judge("invalidAction", fields, [
    ["threshold", isWhole, (value: number) => value >= 0],
    ["action_type", isText, (value: string) => value === "alert_mail"],
    ["target", isText, (value: string) => /^.+@\S+\.\S+$/.test(value)],
    ["enabled", isFlag, () => true],
    ["pre_sale_uuid", isText, isPreSale],
  ]);
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(String(fields["pre_sale_uuid"]));
  const isUnknown = refusal?.fields?.join() === "pre_sale_uuid" && isUuid;
  return isUnknown ? refuse("unknownPreSale", refusal.fields) : refusal;
}

export function createAction(moment: Moment, asked: Asked, uid: number, at: number, learn: Learn): Worked {
  const key = asked.environment as AccountKey;
  const { preSales, preSaleActions } = moment[key];
  const { threshold, action_type, target, enabled, pre_sale_uuid } = asked.value as Action; // checked above
  const preSale = findOwned(preSales, pre_sale_uuid, uid);
  if (preSale === undefined) return { moment, expected: refuse("unknownPreSale") };
  const made = learn(
    `${key}.preSaleActions`,
    preSaleActions.map(({ uuid }) => uuid),
    nextOf(moment, `${key}/preSaleActions`),
  );
  const action: Action = {
    ...{ threshold, action_type, target, enabled },
    uuid: String(made["uuid"]),
    created_at: toDateTime(at),
    updated_at: toDateTime(at),
    pre_sale_uuid: preSale.uuid,
    owner: uid,
    armed: true,
    running_until: 0,
  };
  const changed = withAccount(moment, key, { preSaleActions: [...preSaleActions, action] });
  const headers = { location: `/pre-sale-actions/${action.uuid}` };
  return {
    moment: withNext(changed, `${key}/preSaleActions`),
    expected: { status: 201, body: shown(action, at), headers },
  };
}

/** One that has fired is ready again where its credit is not under the threshold, or where it watches another presale. */
export function replaceAction(moment: Moment, asked: Asked, before: Action, at: number): Worked {
  const key = asked.environment as AccountKey;
  const { preSales, preSaleActions } = accountOf(moment, asked);
  const { threshold, action_type, target, enabled, pre_sale_uuid } = asked.value as Action; // checked above
  const preSale = findOwned(preSales, pre_sale_uuid, before.owner);
  if (preSale === undefined) return { moment, expected: refuse("unknownPreSale") };
  const isElsewhere = preSale.uuid !== before.pre_sale_uuid;
  const isAbove = cents(preSale.current_credit_available) >= threshold * 100;
  const action: Action = {
    ...before,
    ...{ threshold, action_type, target, enabled, pre_sale_uuid: preSale.uuid },
    updated_at: toDateTime(at),
    armed: before.armed || isElsewhere || isAbove,
  };
  const actions = preSaleActions.map((one) => (one.uuid === action.uuid ? action : one));
  return {
    moment: withAccount(moment, key, { preSaleActions: actions }),
    expected: { status: 200, body: shown(action, at) },
  };
}

const PROFILE = [
  "fullname",
  "invoicing_vat_number",
  "invoicing_fiscal_id",
  "invoicing_address",
  "invoicing_city",
  "invoicing_province",
  "invoicing_cap",
  "invoicing_name",
  "invoicing_country",
  "invoicing_sdi_recipient_code",
  "invoicing_sdi_pec",
];

export function checkProfile(fields: Fields): Expected | undefined {
  const isTextOrNull = (value: unknown) => value === null || isText(value);
  const sent = PROFILE.filter((name) => Object.hasOwn(fields, name));
  return judge(
    "invalidProfile",
    fields,
    sent.map((name) => [name, isTextOrNull, (value: string | null) => (value ?? "").length <= 255]),
  );
}

export function checkPassword(fields: Fields): Expected | undefined {
  const isStrong = (value: string) =>
    value.length >= 8 && /[a-z]/i.test(value) && /\d/.test(value) && /[!@#$%^&*]/.test(value);
  return judge("weakPassword", fields, [["password", isText, isStrong]]);
}

/** Profile and password; a user that is only read stays as it is. */
export function writeUser(moment: Moment, asked: Asked, { uid, name }: Identity): Worked {
  const key = asked.environment as AccountKey;
  const { users, identities } = moment[key];
  const user = users.find((one) => one.uid === uid) ?? { uid, email: name };
  const fields = (asked.value ?? {}) as Fields; // an object, as checked above
  const view = ({ uid: _uid, ...rest }: Readonly<Record<string, unknown>>) => ({ status: 200, body: rest });
  if (asked.operation === "getUser") return { moment, expected: view(user) };
  if (asked.operation === "changePassword") {
    const password = String(fields["password"]);
    const changed = identities.map((one) => (one.uid === uid ? { ...one, password } : one));
    return { moment: withAccount(moment, key, { identities: changed }), expected: view(user) };
  }
  const { mergeProfile } = moment.settings;
  const values = PROFILE.map((field) => {
    const left = mergeProfile ? user[field] : null;
    return [field, Object.hasOwn(fields, field) ? fields[field] : left];
  });
  const replaced = { uid, email: user.email, ...Object.fromEntries(values) };
  const changed = users.map((one) => (one.uid === uid ? replaced : one));
  return { moment: withAccount(moment, key, { users: changed }), expected: view(replaced) };
}
