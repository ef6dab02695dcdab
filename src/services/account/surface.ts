/** Generated: public types of the account. To update this file, run `npm run docs`. */

import type { ErrorResponse, HeaderInput, QueryValue, Success } from "../../operation/client.ts";
import type { Duration } from "../../world/time.ts";
import type { AccountProblem } from "./operation.ts";

/** Usage of one month that no presale package covered. */
export type Consumption = {
  /** Identifies the consumption. */
  uuid: string;
  /** The month of the usage, 1 to 12. */
  month: number;
  /** The year of the usage, such as 2026. */
  year: number;
  /** Cost of the month: a string with two decimals, such as "12.50". */
  total: string;
  /** Number of invoices sent in the month. */
  invoices_sent: number;
  /** Number of invoices received in the month. */
  invoices_received: number;
};

/** Credentials of the login. */
export type Credentials = {
  /** The user's e-mail address. */
  email: string;
  /** The user's password. */
  password: string;
};

/** The new password. */
export type PasswordInput = {
  /** At least 8 characters, with a letter, a digit and one of `! @ # $ % ^ & *`. */
  password: string;
};

/** A package of credit, bought in advance. */
export type PreSale = {
  /** Identifies the presale. */
  uuid: string;
  /** Time of purchase (RFC 3339). */
  created_at: string;
  /** Time until which its credit can be used (RFC 3339). */
  valid_until: string;
  /** All purchased credit: a string with two decimals, without currency. */
  total_credit_purchased: string;
  /** Remaining credit: a string with two decimals, without currency. */
  current_credit_available: string;
  /** Credit of the current purchase: a string with two decimals, without currency. */
  current_credit_purchased: string;
  /** Number of sent invoices that this credit paid for. */
  invoices_sent: number;
  /** Number of received invoices that this credit paid for. */
  invoices_received: number;
};

/** Sends a mail if a presale's credit falls below a threshold. */
export type PreSaleAction = {
  /** Identifies the action. */
  uuid: string;
  /** Time of creation (RFC 3339). */
  created_at: string;
  /** Time of the last change (RFC 3339). */
  updated_at: string;
  /** The action is triggered when the credit falls below this value, in whole units of credit. */
  threshold: number;
  /** Type of the action: `alert_mail` sends a mail. */
  action_type: "alert_mail";
  /** Email address that receives the message. */
  target: string;
  /** Whether the action can be triggered. */
  enabled: boolean;
  /** Whether the action is running: `true` for a short time after it was triggered. */
  running: boolean;
  /** `uuid` of the action's presale. */
  pre_sale_uuid: string;
};

/** All fields of a new or replaced action. */
export type PreSaleActionInput = {
  /** The action is triggered when the credit falls below this value, in whole units of credit. */
  threshold: number;
  /** Type of the action: `alert_mail` sends a mail. */
  action_type: "alert_mail";
  /** Email address that receives the message. */
  target: string;
  /** Whether the action can be triggered. */
  enabled: boolean;
  /** `uuid` of a presale of the user. */
  pre_sale_uuid: string;
};

export type StoredConsumption = {
  /** Identifies the consumption. */
  uuid: string;
  /** The month of the usage, 1 to 12. */
  month: number;
  /** The year of the usage, such as 2026. */
  year: number;
  /** Cost of the month: a string with two decimals, such as "12.50". */
  total: string;
  /** Number of invoices sent in the month. */
  invoices_sent: number;
  /** Number of invoices received in the month. */
  invoices_received: number;
  owner: number;
};

export type StoredIdentity = {
  name: string;
  password: string;
  uid: number;
  roles: Record<string, string[]>;
  disabled?: boolean | undefined;
};

export type StoredPreSale = {
  /** Identifies the presale. */
  uuid: string;
  created_at: string;
  valid_until: string;
  /** All purchased credit: a string with two decimals, without currency. */
  total_credit_purchased: string;
  /** Remaining credit: a string with two decimals, without currency. */
  current_credit_available: string;
  /** Credit of the current purchase: a string with two decimals, without currency. */
  current_credit_purchased: string;
  /** Number of sent invoices that this credit paid for. */
  invoices_sent: number;
  /** Number of received invoices that this credit paid for. */
  invoices_received: number;
  owner: number;
};

export type StoredPreSaleAction = {
  /** Identifies the action. */
  uuid: string;
  created_at: string;
  updated_at: string;
  /** The action is triggered when the credit falls below this value, in whole units of credit. */
  threshold: number;
  /** Type of the action: `alert_mail` sends a mail. */
  action_type: "alert_mail";
  /** Email address that receives the message. */
  target: string;
  /** Whether the action can be triggered. */
  enabled: boolean;
  /** `uuid` of the action's presale. */
  pre_sale_uuid: string;
  owner: number;
  /** Default true. */
  armed: boolean;
  running_from?: number | undefined;
  /** Default 0. */
  running_until: number;
};

export type StoredPreSaleActionInput = {
  /** Identifies the action. */
  uuid: string;
  created_at: string;
  updated_at: string;
  /** The action is triggered when the credit falls below this value, in whole units of credit. */
  threshold: number;
  /** Type of the action: `alert_mail` sends a mail. */
  action_type: "alert_mail";
  /** Email address that receives the message. */
  target: string;
  /** Whether the action can be triggered. */
  enabled: boolean;
  /** `uuid` of the action's presale. */
  pre_sale_uuid: string;
  owner: number;
  /** Default true. */
  armed?: boolean | undefined;
  running_from?: number | undefined;
  /** Default 0. */
  running_until?: number | undefined;
};

export type StoredUser = {
  /** Email address for the login. Read-only. */
  email: string;
  /** First and last name; null if unknown. */
  fullname: string | null;
  /** VAT number for invoices; null if unknown. */
  invoicing_vat_number: string | null;
  /** Fiscal code for invoices; null if unknown. */
  invoicing_fiscal_id: string | null;
  /** Street and number for invoices; null if unknown. */
  invoicing_address: string | null;
  /** City for invoices; null if unknown. */
  invoicing_city: string | null;
  /** Province for invoices, such as `TO`; null if unknown. */
  invoicing_province: string | null;
  /** Postal code for invoices; null if unknown. */
  invoicing_cap: string | null;
  /** Name of the company for invoices; null if unknown. */
  invoicing_name: string | null;
  /** Country for invoices, such as `IT`; null if unknown. */
  invoicing_country: string | null;
  /** Recipient code for the Italian exchange system SdI, usually 7 characters; null if unknown. */
  invoicing_sdi_recipient_code: string | null;
  /** Certified mail address (PEC) for the exchange system SdI; null if unknown. */
  invoicing_sdi_pec: string | null;
  uid: number;
};

/** A bearer token. */
export type Token = {
  /** A JWT. Send it as `Authorization: Bearer <token>`. */
  token: string;
};

/** The user's profile, with billing data. */
export type User = {
  /** Email address for the login. Read-only. */
  email: string;
  /** First and last name; null if unknown. */
  fullname: string | null;
  /** VAT number for invoices; null if unknown. */
  invoicing_vat_number: string | null;
  /** Fiscal code for invoices; null if unknown. */
  invoicing_fiscal_id: string | null;
  /** Street and number for invoices; null if unknown. */
  invoicing_address: string | null;
  /** City for invoices; null if unknown. */
  invoicing_city: string | null;
  /** Province for invoices, such as `TO`; null if unknown. */
  invoicing_province: string | null;
  /** Postal code for invoices; null if unknown. */
  invoicing_cap: string | null;
  /** Name of the company for invoices; null if unknown. */
  invoicing_name: string | null;
  /** Country for invoices, such as `IT`; null if unknown. */
  invoicing_country: string | null;
  /** Recipient code for the Italian exchange system SdI, usually 7 characters; null if unknown. */
  invoicing_sdi_recipient_code: string | null;
  /** Certified mail address (PEC) for the exchange system SdI; null if unknown. */
  invoicing_sdi_pec: string | null;
};

/** The new profile. */
export type UserInput = {
  /** First and last name; at most 255 characters. */
  fullname?: string | null | undefined;
  /** VAT number for invoices; at most 255 characters. */
  invoicing_vat_number?: string | null | undefined;
  /** Fiscal code for invoices; at most 255 characters. */
  invoicing_fiscal_id?: string | null | undefined;
  /** Street and number for invoices; at most 255 characters. */
  invoicing_address?: string | null | undefined;
  /** City for invoices; at most 255 characters. */
  invoicing_city?: string | null | undefined;
  /** Province for invoices, such as `TO`; at most 255 characters. */
  invoicing_province?: string | null | undefined;
  /** Postal code for invoices; at most 255 characters. */
  invoicing_cap?: string | null | undefined;
  /** Name of the company for invoices; at most 255 characters. */
  invoicing_name?: string | null | undefined;
  /** Country for invoices, such as `IT`; at most 255 characters. */
  invoicing_country?: string | null | undefined;
  /** Recipient code for the Italian exchange system SdI, usually 7 characters; at most 255 characters. */
  invoicing_sdi_recipient_code?: string | null | undefined;
  /** Certified mail address (PEC) for the exchange system SdI; at most 255 characters. */
  invoicing_sdi_pec?: string | null | undefined;
};

/** Client of the account: one method per operation. The type of a response depends on its status. */
export type AccountClient = {
  /**
   * Obtain a bearer token: `POST /login`.
   * A token is valid for 24 hours and can be requested once every 24 hours. An earlier login returns 429, with the seconds until the next login in `Retry-After`.
   *
   * Body: `email`, `password`.
   */
  login(request: {
    readonly body: Credentials;
    readonly headers?: HeaderInput;
  }): Promise<Success<200, Token> | ErrorResponse<400 | 401 | 404 | 413 | 429, AccountProblem>>;
  /**
   * List consumptions: `GET /consumptions`.
   * Usage by year and month not covered by a presale package, the latest month first.
   */
  listConsumptions(request?: {
    readonly query?: {
      /** Page number to retrieve, from 1; a page has 30 items. */
      readonly page?: QueryValue;
      /** Only usage of this year. */
      readonly year?: QueryValue;
      /** Only usage of these years. */
      readonly "year[]"?: QueryValue;
      /** Only usage of this month, 1 to 12. */
      readonly month?: QueryValue;
      /** Only usage of these months, 1 to 12. */
      readonly "month[]"?: QueryValue;
    };
    readonly headers?: HeaderInput;
  }): Promise<Success<200, readonly Consumption[]> | ErrorResponse<400 | 401 | 403 | 406, AccountProblem>>;
  /**
   * Get a consumption: `GET /consumptions/{uuid}`.
   * The usage of one month.
   */
  getConsumption(request: {
    readonly params: {
      /** `uuid` of the resource. */
      readonly uuid: string;
    };
    readonly headers?: HeaderInput;
  }): Promise<Success<200, Consumption> | ErrorResponse<401 | 403 | 404 | 406, AccountProblem>>;
  /**
   * List presales: `GET /pre-sales`.
   * In order of purchase. Includes expired and used-up presales.
   */
  listPreSales(request?: {
    readonly query?: {
      /** Page number to retrieve, from 1; a page has 30 items. */
      readonly page?: QueryValue;
    };
    readonly headers?: HeaderInput;
  }): Promise<Success<200, readonly PreSale[]> | ErrorResponse<400 | 401 | 403 | 406, AccountProblem>>;
  /**
   * Get a presale: `GET /pre-sales/{uuid}`.
   * One package, with its remaining credit.
   */
  getPreSale(request: {
    readonly params: {
      /** `uuid` of the resource. */
      readonly uuid: string;
    };
    readonly headers?: HeaderInput;
  }): Promise<Success<200, PreSale> | ErrorResponse<401 | 403 | 404 | 406, AccountProblem>>;
  /**
   * List presale actions: `GET /pre-sale-actions`.
   * The user's actions, in order of creation.
   */
  listPreSaleActions(request?: {
    readonly query?: {
      /** Page number to retrieve, from 1; a page has 30 items. */
      readonly page?: QueryValue;
    };
    readonly headers?: HeaderInput;
  }): Promise<Success<200, readonly PreSaleAction[]> | ErrorResponse<400 | 401 | 403 | 406, AccountProblem>>;
  /**
   * Create a presale action: `POST /pre-sale-actions`.
   * Sends a mail to `target` each time the credit of the presale falls below `threshold`.
   *
   * Body: `threshold`, `action_type`, `target`, `enabled`, `pre_sale_uuid`.
   */
  createPreSaleAction(request: {
    readonly body: PreSaleActionInput;
    readonly headers?: HeaderInput;
  }): Promise<
    Success<201, PreSaleAction> | ErrorResponse<400 | 401 | 403 | 406 | 413 | 415 | 422, AccountProblem>
  >;
  /**
   * Get a presale action: `GET /pre-sale-actions/{uuid}`.
   * `running` is true while its mail is being sent.
   */
  getPreSaleAction(request: {
    readonly params: {
      /** `uuid` of the resource. */
      readonly uuid: string;
    };
    readonly headers?: HeaderInput;
  }): Promise<Success<200, PreSaleAction> | ErrorResponse<401 | 403 | 404 | 406, AccountProblem>>;
  /**
   * Replace a presale action: `PUT /pre-sale-actions/{uuid}`.
   * Replaces all fields. If the presale changes, or the threshold is at or below the credit, the action can be triggered again.
   *
   * Body: `threshold`, `action_type`, `target`, `enabled`, `pre_sale_uuid`.
   */
  replacePreSaleAction(request: {
    readonly params: {
      /** `uuid` of the resource. */
      readonly uuid: string;
    };
    readonly body: PreSaleActionInput;
    readonly headers?: HeaderInput;
  }): Promise<
    Success<200, PreSaleAction> | ErrorResponse<400 | 401 | 403 | 404 | 406 | 413 | 415 | 422, AccountProblem>
  >;
  /**
   * Delete a presale action: `DELETE /pre-sale-actions/{uuid}`.
   * A deleted action sends no more mails.
   */
  deletePreSaleAction(request: {
    readonly params: {
      /** `uuid` of the resource. */
      readonly uuid: string;
    };
    readonly headers?: HeaderInput;
  }): Promise<Success<204, undefined> | ErrorResponse<401 | 403 | 404 | 406, AccountProblem>>;
  /**
   * Get the user's profile: `GET /users/{id}`.
   * The profile of the user of the token.
   */
  getUser(request: {
    readonly params: {
      /** Always `me`: the user of the token. */
      readonly id: string;
    };
    readonly headers?: HeaderInput;
  }): Promise<Success<200, User> | ErrorResponse<401 | 403 | 404 | 406, AccountProblem>>;
  /**
   * Replace the user's profile: `PUT /users/{id}`.
   * Omitted fields become null.
   *
   * Body: `fullname?`, `invoicing_vat_number?`, `invoicing_fiscal_id?`, `invoicing_address?`, `invoicing_city?`, `invoicing_province?`, `invoicing_cap?`, `invoicing_name?`, `invoicing_country?`, `invoicing_sdi_recipient_code?`, `invoicing_sdi_pec?`.
   */
  replaceUser(request: {
    readonly params: {
      /** Always `me`: the user of the token. */
      readonly id: string;
    };
    readonly body: UserInput;
    readonly headers?: HeaderInput;
  }): Promise<
    Success<200, User> | ErrorResponse<400 | 401 | 403 | 404 | 406 | 413 | 415 | 422, AccountProblem>
  >;
  /**
   * Change the user's password: `PUT /users/{id}/change-password`.
   * The next login requires the new password. Issued tokens stay valid.
   *
   * Body: `password`.
   */
  changePassword(request: {
    readonly params: {
      /** Always `me`: the user of the token. */
      readonly id: string;
    };
    readonly body: PasswordInput;
    readonly headers?: HeaderInput;
  }): Promise<
    Success<200, User> | ErrorResponse<400 | 401 | 403 | 404 | 406 | 413 | 415 | 422, AccountProblem>
  >;
};

/** Parameters, fields, statuses and problems that rules and matchers can use, by operation. */
export type AccountOperations = {
  "account.login": {
    params: never;
    query: never;
    body: "email" | "password";
    status: 200 | 400 | 401 | 404 | 413 | 429;
    problem: "malformedLogin" | "badCredentials" | "loginThrottled" | "pathNotFound" | "bodyTooLarge";
  };
  "account.listConsumptions": {
    params: never;
    query: "page" | "year" | "year[]" | "month" | "month[]";
    body: never;
    status: 200 | 400 | 401 | 403 | 406;
    problem:
      | "tokenMissing"
      | "tokenInvalid"
      | "tokenExpired"
      | "badCredentials"
      | "accessDenied"
      | "invalidPage"
      | "invalidFilter"
      | "notAcceptable";
  };
  "account.getConsumption": {
    params: "uuid";
    query: never;
    body: never;
    status: 200 | 401 | 403 | 404 | 406;
    problem:
      | "tokenMissing"
      | "tokenInvalid"
      | "tokenExpired"
      | "badCredentials"
      | "accessDenied"
      | "consumptionNotFound"
      | "notAcceptable";
  };
  "account.listPreSales": {
    params: never;
    query: "page";
    body: never;
    status: 200 | 400 | 401 | 403 | 406;
    problem:
      | "tokenMissing"
      | "tokenInvalid"
      | "tokenExpired"
      | "badCredentials"
      | "accessDenied"
      | "invalidPage"
      | "notAcceptable";
  };
  "account.getPreSale": {
    params: "uuid";
    query: never;
    body: never;
    status: 200 | 401 | 403 | 404 | 406;
    problem:
      | "tokenMissing"
      | "tokenInvalid"
      | "tokenExpired"
      | "badCredentials"
      | "accessDenied"
      | "preSaleNotFound"
      | "notAcceptable";
  };
  "account.listPreSaleActions": {
    params: never;
    query: "page";
    body: never;
    status: 200 | 400 | 401 | 403 | 406;
    problem:
      | "tokenMissing"
      | "tokenInvalid"
      | "tokenExpired"
      | "badCredentials"
      | "accessDenied"
      | "invalidPage"
      | "notAcceptable";
  };
  "account.createPreSaleAction": {
    params: never;
    query: never;
    body: "threshold" | "action_type" | "target" | "enabled" | "pre_sale_uuid";
    status: 201 | 400 | 401 | 403 | 404 | 406 | 413 | 415 | 422;
    problem:
      | "tokenMissing"
      | "tokenInvalid"
      | "tokenExpired"
      | "badCredentials"
      | "accessDenied"
      | "malformedBody"
      | "invalidAction"
      | "unknownPreSale"
      | "notAcceptable"
      | "bodyTooLarge"
      | "unsupportedMedia";
  };
  "account.getPreSaleAction": {
    params: "uuid";
    query: never;
    body: never;
    status: 200 | 401 | 403 | 404 | 406;
    problem:
      | "tokenMissing"
      | "tokenInvalid"
      | "tokenExpired"
      | "badCredentials"
      | "accessDenied"
      | "preSaleActionNotFound"
      | "notAcceptable";
  };
  "account.replacePreSaleAction": {
    params: "uuid";
    query: never;
    body: "threshold" | "action_type" | "target" | "enabled" | "pre_sale_uuid";
    status: 200 | 400 | 401 | 403 | 404 | 406 | 413 | 415 | 422;
    problem:
      | "tokenMissing"
      | "tokenInvalid"
      | "tokenExpired"
      | "badCredentials"
      | "accessDenied"
      | "malformedBody"
      | "invalidAction"
      | "unknownPreSale"
      | "preSaleActionNotFound"
      | "notAcceptable"
      | "bodyTooLarge"
      | "unsupportedMedia";
  };
  "account.deletePreSaleAction": {
    params: "uuid";
    query: never;
    body: never;
    status: 204 | 401 | 403 | 404 | 406;
    problem:
      | "tokenMissing"
      | "tokenInvalid"
      | "tokenExpired"
      | "badCredentials"
      | "accessDenied"
      | "preSaleActionNotFound"
      | "notAcceptable";
  };
  "account.getUser": {
    params: "id";
    query: never;
    body: never;
    status: 200 | 401 | 403 | 404 | 406;
    problem:
      | "tokenMissing"
      | "tokenInvalid"
      | "tokenExpired"
      | "badCredentials"
      | "accessDenied"
      | "userNotFound"
      | "notAcceptable";
  };
  "account.replaceUser": {
    params: "id";
    query: never;
    body:
      | "fullname"
      | "invoicing_vat_number"
      | "invoicing_fiscal_id"
      | "invoicing_address"
      | "invoicing_city"
      | "invoicing_province"
      | "invoicing_cap"
      | "invoicing_name"
      | "invoicing_country"
      | "invoicing_sdi_recipient_code"
      | "invoicing_sdi_pec";
    status: 200 | 400 | 401 | 403 | 404 | 406 | 413 | 415 | 422;
    problem:
      | "tokenMissing"
      | "tokenInvalid"
      | "tokenExpired"
      | "badCredentials"
      | "accessDenied"
      | "malformedBody"
      | "invalidProfile"
      | "userNotFound"
      | "notAcceptable"
      | "bodyTooLarge"
      | "unsupportedMedia";
  };
  "account.changePassword": {
    params: "id";
    query: never;
    body: "password";
    status: 200 | 400 | 401 | 403 | 404 | 406 | 413 | 415 | 422;
    problem:
      | "tokenMissing"
      | "tokenInvalid"
      | "tokenExpired"
      | "badCredentials"
      | "accessDenied"
      | "malformedBody"
      | "weakPassword"
      | "userNotFound"
      | "notAcceptable"
      | "bodyTooLarge"
      | "unsupportedMedia";
  };
};

/** Keys of the error responses of the account. */
export type AccountProblemKey =
  | "malformedBody"
  | "malformedTarget"
  | "invalidPage"
  | "invalidFilter"
  | "malformedLogin"
  | "tokenMissing"
  | "tokenInvalid"
  | "tokenExpired"
  | "badCredentials"
  | "accessDenied"
  | "consumptionNotFound"
  | "preSaleNotFound"
  | "preSaleActionNotFound"
  | "userNotFound"
  | "pathNotFound"
  | "unknownFormat"
  | "methodNotAllowed"
  | "notAcceptable"
  | "serverError"
  | "notStored"
  | "storageFull"
  | "bodyTooLarge"
  | "unsupportedMedia"
  | "invalidAction"
  | "unknownPreSale"
  | "invalidProfile"
  | "weakPassword"
  | "loginThrottled";

/** Settings of the account. */
export type AccountSettingsInput = {
  /** Version of API Platform that defines the error bodies: 2.x or 4.x. Default "api-platform-2". */
  profile?: "api-platform-2" | "api-platform-4" | undefined;
  /** `@context` is a link to the context document, or the context itself. Default "link". */
  itemContext?: "link" | "inline" | undefined;
  /** Lifetime of a token. Default "24h". */
  tokenLifetime?: Duration | undefined;
  /** Algorithm that signs tokens. Default "RS256". */
  algorithm?: "RS256" | "HS256" | "ES256" | undefined;
  /** Whether an invalid token is an error on paths that need no token. Default false. */
  strictTokens?: boolean | undefined;
  /** Whether entry point, `@context` documents and documentation need a token. Default false. */
  protectDocs?: boolean | undefined;
  /** Whether the entry point also has a link to the user. Default false. */
  entryPointUser?: boolean | undefined;
  login?:
    | {
        /** Minimum time between two logins of a user, in whole seconds. Default "24h". */
        every?: Duration | undefined;
        /** Response to an early login (before `login.every` has passed): an error, the same token, or a new token. Default "refuse". */
        onRepeat?: "refuse" | "same-token" | "allow" | undefined;
        /** Status of the error for an early login. Default 429. */
        status?: number | undefined;
        /** Error message for an early login. Default: a message with the time of the next login. */
        message?: string | undefined;
        /** Whether a failed login also starts the waiting time `login.every`. Default false. */
        countFailures?: boolean | undefined;
      }
    | undefined;
  /** Number of items on a page. Default 30. */
  pageSize?: number | undefined;
  /** An invalid `page` is an error, or becomes 1. Default "refuse". */
  badPage?: "refuse" | "first" | undefined;
  /** A filter that is not a number is ignored, or is an error. Default "ignore". */
  badFilter?: "ignore" | "refuse" | undefined;
  /** Status of the error for a field with the wrong JSON type. Default 400. */
  typeErrors?: 400 | 422 | undefined;
  /** `null` in a required field is a type error, or the same as a missing field. Default "typeError". */
  nulls?: "typeError" | "missing" | undefined;
  /** Status of the error for an action with an unknown presale. Default 422. */
  unknownPreSale?: 422 | 404 | 400 | undefined;
  /** Omitted fields of a PUT become `null`, or do not change. Default "replace". */
  profilePut?: "replace" | "merge" | undefined;
  usage?:
    | {
        /** Price of an invoice that `usage.record` simulates. Default "0.25". */
        pricePerInvoice?: string | undefined;
      }
    | undefined;
  /** How long an action is `running` after it was triggered. Default "5s". */
  actionDuration?: Duration | undefined;
  /** Whether a new action starts immediately if the credit is below its threshold. Default false. */
  fireOnCreate?: boolean | undefined;
  /** Body of the error for an unknown path or method: as in other errors, or HTML as in Symfony. Default "service". */
  routeErrors?: "service" | "symfony" | undefined;
  /** Timestamps end in `+00:00` or in `Z`. Default "offset". */
  dateTimes?: "offset" | "Z" | undefined;
};

/** Types of the entities by collection: `input` to write them, `output` to read them. */
export type AccountData = {
  users: { input: StoredUser; output: StoredUser };
  identities: { input: StoredIdentity; output: StoredIdentity };
  consumptions: { input: StoredConsumption; output: StoredConsumption };
  preSales: { input: StoredPreSale; output: StoredPreSale };
  preSaleActions: { input: StoredPreSaleActionInput; output: StoredPreSaleAction };
};
