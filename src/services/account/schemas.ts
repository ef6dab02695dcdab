/** Schemas of request and response bodies, without JSON-LD fields. Source: common-account-billing, Resources and their fields. */

import { z } from "zod";
import type { Timestamp } from "../../world/time.ts";
import { isValidPassword, PASSWORD_PATTERN } from "./constraints.ts";
import type { AccountSettings } from "./settings.ts";

/** A type of resource, for rendering and the Hydra documentation. */
export type Resource = {
  /** JSON-LD type, such as `PreSaleAction`. */
  readonly name: string;
  /** Path of the collection, if any. */
  readonly collectionPath: string | undefined;
  /** Returns the IRI of an item, relative to the base URL. */
  readonly iri: (value: Readonly<Record<string, unknown>>) => string;
  /** Schema of the body that creates or replaces the resource. Undefined if it is read-only. */
  readonly input: z.ZodObject | undefined;
};

/** Returns the path of the collection, or of the resource itself if it has no collection. */
export function getResourcePath({ collectionPath, iri }: Resource): string {
  return collectionPath ?? iri({});
}

/** Resources by the schema of their items. */
export const resources = new Map<z.ZodType, Resource>();
/** Schemas of collection items, by the schema of a page of the collection. */
export const pages = new Map<z.ZodType, z.ZodObject>();

/** One page of a collection, before it is rendered. A response in `application/json` contains only `items`. */
export type ResultPage<T> = {
  readonly items: readonly T[];
  readonly totalItems: number;
  /** Page number from 1: a 64-bit integer, as in PHP. */
  readonly page: bigint;
  readonly pageSize: number;
};

function createPageSchema<T extends z.ZodObject>(item: T) {
  const schema = z
    .object({
      items: z.array(item).readonly(),
      totalItems: z.int().min(0),
      page: z.bigint().min(1n),
      pageSize: z.int().min(1),
    })
    .describe("One page of the user's resources.");
  pages.set(schema, item);
  return schema;
}

function createResource(name: string, collectionPath: string, input?: z.ZodObject): Resource {
  return { name, collectionPath, iri: ({ uuid }) => `${collectionPath}/${String(uuid)}`, input };
}

/** Assumed: two decimals after a dot, without thousands separators. */
const money = z.string().regex(/^-?\d+\.\d{2}$/, 'must be an amount with two decimals, such as "12.50"');
/** A time such as `2026-03-01T09:00:00+00:00`. Assumed: RFC 3339 in UTC with numeric offset, without fractions. */
const dateTime = z.string().meta({ wire: { type: "string", format: "date-time" } });
export function toDateTime(instant: Timestamp): string {
  return `${new Date(instant).toISOString().slice(0, 19)}+00:00`;
}
const count = z.int().min(0);

export const Consumption = z
  .object({
    uuid: z.string().toLowerCase().describe("Identifies the consumption."),
    month: z.int().describe("The month of the usage, 1 to 12."),
    year: z.int().describe("The year of the usage, such as 2026."),
    total: money.describe('Cost of the month: a string with two decimals, such as "12.50".'),
    invoices_sent: count.describe("Number of invoices sent in the month."),
    invoices_received: count.describe("Number of invoices received in the month."),
  })
  .meta({ id: "Consumption", description: "Usage of one month that no presale package covered." });
export type Consumption = z.output<typeof Consumption>;
resources.set(Consumption, createResource("Consumption", "/consumptions"));

const createCredit = (label: string) =>
  money.describe(`${label}: a string with two decimals, without currency.`);
export const PreSale = z
  .object({
    uuid: z.string().toLowerCase().describe("Identifies the presale."),
    created_at: dateTime.describe("Time of purchase (RFC 3339)."),
    valid_until: dateTime.describe("Time until which its credit can be used (RFC 3339)."),
    total_credit_purchased: createCredit("All purchased credit"),
    current_credit_available: createCredit("Remaining credit"),
    current_credit_purchased: createCredit("Credit of the current purchase"),
    invoices_sent: count.describe("Number of sent invoices that this credit paid for."),
    invoices_received: count.describe("Number of received invoices that this credit paid for."),
  })
  .meta({ id: "PreSale", description: "A package of credit, bought in advance." });
export type PreSale = z.output<typeof PreSale>;
resources.set(PreSale, createResource("PreSale", "/pre-sales"));

const EMAIL = /^.+@\S+\.\S+$/;
const THRESHOLD = "The action is triggered when the credit falls below this value, in whole units of credit.";
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Schema of a string for which `holds` returns true. An empty string violates only the constraint NotBlank. */
const createRequiredText = (constraint: string, holds: (text: string) => boolean) =>
  z
    .string()
    .refine((text) => text !== "", "NotBlank")
    .refine((text) => text === "" || holds(text), constraint);

/** The error messages are names of constraints, such as `NotBlank` or `Uuid`. The codec replaces them by Symfony's message and code. */
export const PreSaleActionInput = z
  .object({
    threshold: z.int().min(0, "PositiveOrZero").describe(THRESHOLD),
    action_type: z.enum(["alert_mail"]).describe("Type of the action: `alert_mail` sends a mail."),
    target: createRequiredText("Email", (text) => EMAIL.test(text)).meta({
      description: "Email address that receives the message.",
      wire: { type: "string", format: "email" },
    }),
    enabled: z.boolean().describe("Whether the action can be triggered."),
    pre_sale_uuid: createRequiredText("Uuid", (text) => UUID.test(text)).meta({
      description: "`uuid` of a presale of the user.",
      wire: { type: "string", format: "uuid" },
    }),
  })
  .meta({ id: "PreSaleActionInput", description: "All fields of a new or replaced action." });
export type PreSaleActionInput = z.output<typeof PreSaleActionInput>;

export const PreSaleAction = z
  .object({
    uuid: z.string().toLowerCase().describe("Identifies the action."),
    created_at: dateTime.describe("Time of creation (RFC 3339)."),
    updated_at: dateTime.describe("Time of the last change (RFC 3339)."),
    threshold: z.int().describe(THRESHOLD),
    action_type: z.enum(["alert_mail"]).describe("Type of the action: `alert_mail` sends a mail."),
    target: z.string().describe("Email address that receives the message."),
    enabled: z.boolean().describe("Whether the action can be triggered."),
    running: z
      .boolean()
      .describe("Whether the action is running: `true` for a short time after it was triggered."),
    pre_sale_uuid: z.string().toLowerCase().describe("`uuid` of the action's presale."),
  })
  .meta({ id: "PreSaleAction", description: "Sends a mail if a presale's credit falls below a threshold." });
export type PreSaleAction = z.output<typeof PreSaleAction>;
resources.set(PreSaleAction, createResource("PreSaleAction", "/pre-sale-actions", PreSaleActionInput));

const PROFILE_FIELDS = [
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
] as const;
type ProfileField = (typeof PROFILE_FIELDS)[number];

const FIELD_LABELS: Readonly<Record<ProfileField, string>> = {
  fullname: "First and last name",
  invoicing_vat_number: "VAT number for invoices",
  invoicing_fiscal_id: "Fiscal code for invoices",
  invoicing_address: "Street and number for invoices",
  invoicing_city: "City for invoices",
  invoicing_province: "Province for invoices, such as `TO`",
  invoicing_cap: "Postal code for invoices",
  invoicing_name: "Name of the company for invoices",
  invoicing_country: "Country for invoices, such as `IT`",
  invoicing_sdi_recipient_code: "Recipient code for the Italian exchange system SdI, usually 7 characters",
  invoicing_sdi_pec: "Certified mail address (PEC) for the exchange system SdI",
};

export function mapProfile<T>(toValue: (field: ProfileField) => T): Record<ProfileField, T> {
  const entries = PROFILE_FIELDS.map((field) => [field, toValue(field)]);
  return Object.fromEntries(entries) as Record<ProfileField, T>; // Safe cast: each field has an entry.
}

/** Assumed: at most 255 characters. The document mentions the status 422, but not its cause. */
const profileInput = z.string().max(255, "Length").nullable().optional();
export const UserInput = z
  .object(mapProfile((field) => profileInput.describe(`${FIELD_LABELS[field]}; at most 255 characters.`)))
  .meta({ id: "UserInput", description: "The new profile." });
export const User = z
  .object({
    email: z.string().describe("Email address for the login. Read-only."),
    ...mapProfile((field) => z.string().nullable().describe(`${FIELD_LABELS[field]}; null if unknown.`)),
  })
  .meta({ id: "User", description: "The user's profile, with billing data." });
export type User = z.output<typeof User>;
resources.set(User, { name: "User", collectionPath: undefined, iri: () => "/users/me", input: UserInput });

export const PasswordInput = z
  .object({
    password: createRequiredText("Regex", isValidPassword).meta({
      description: "At least 8 characters, with a letter, a digit and one of `! @ # $ % ^ & *`.",
      wire: { type: "string", minLength: 8, pattern: PASSWORD_PATTERN },
    }),
  })
  .meta({ id: "PasswordInput", description: "The new password." });

/** Accepted media types of the login's body. The document only shows the first one. */
export const SIGN_IN_MEDIA = ["application/json", "application/ld+json", "application/x-json"] as const;
export const Credentials = z
  .object({
    email: z.string().describe("The user's e-mail address."),
    password: z.string().describe("The user's password."),
  })
  .meta({ id: "Credentials", description: "Credentials of the login." });
export const Token = z
  .object({ token: z.string().describe("A JWT. Send it as `Authorization: Bearer <token>`.") })
  .meta({ id: "Token", description: "A bearer token." });

export const uuidParameter = z.string().describe("`uuid` of the resource.");

/** Creates the schema of a query parameter. It accepts any value, because handlers parse the value like PHP (paging.ts). */
const createParameter = (wire: object) => z.unknown().optional().meta({ wire });
const integer = { type: "integer" };
export const pageParameter = createParameter((settings: AccountSettings) => ({
  ...integer,
  ...(settings.badPage === "refuse" ? { minimum: 1 } : {}),
  default: 1,
  description: `Page number to retrieve, from 1; a page has ${settings.pageSize} items.`,
}));
/** As in PHP, `year[]=2024` is parsed as a list in `year`. The names with brackets are only for OpenAPI and the typed client. */
export const filterParameters = {
  year: createParameter({ ...integer, description: "Only usage of this year." }),
  "year[]": createParameter({ type: "array", items: integer, description: "Only usage of these years." }),
  month: createParameter({ ...integer, description: "Only usage of this month, 1 to 12." }),
  "month[]": createParameter({
    type: "array",
    items: integer,
    description: "Only usage of these months, 1 to 12.",
  }),
};

export const ConsumptionPage = createPageSchema(Consumption);
export const PreSalePage = createPageSchema(PreSale);
export const PreSaleActionPage = createPageSchema(PreSaleAction);
