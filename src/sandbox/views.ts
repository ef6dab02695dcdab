/** Generated: types of the schemas. To update this file, run `npm run docs`. */

import type { RuleInput } from "../rules/grammar.ts";
import type { Urls } from "./addresses.ts";

/** An open question of a service's document, and the assumption. */
export type AssumptionView = {
  /** `museum` or `account`. */
  readonly service: string;
  /** Id of the assumption, as `vitrine assumptions` prints it after the service. */
  readonly id: string;
  /** The question that the documents of the service do not answer. */
  readonly point: string;
  /** The assumed behavior, which is the default of the sandbox. */
  readonly served: string;
  /** Name of the setting that changes the behavior, if any. */
  readonly setting?: string | undefined;
};

/** Result of the validation of a rule or a scenario. */
export type CheckReport = {
  /** `true` if there are no errors. */
  readonly ok: boolean;
  /** The errors. */
  readonly mistakes: readonly {
    /** The error, and how to fix it. */
    readonly message: string;
    /** JSON Pointer to the error. */
    readonly pointer?: string | undefined;
  }[];
};

/** The credentials of a user. */
export type CredentialView = {
  /** The environment that accepts the credentials. */
  readonly environment: string;
  /** The name of the user. */
  readonly user: string;
  /** The password in plain text. */
  readonly password: string;
  /** Present if all other user names and passwords are also valid. */
  readonly any?: true | undefined;
};

/** The active scenario: `default`, if you did not apply another one. */
export type CurrentScenario = {
  /** Name of the scenario. */
  readonly name: string;
  /** Purpose of the scenario, in one line. */
  readonly title?: string | undefined;
  /** Ids of the scenario's rules. */
  readonly rules: readonly string[];
};

/** Predicted response to a request, and why each rule applies or not. */
export type Explanation = {
  /** The method of the request. */
  readonly method: string;
  /** Path of the request, relative to the base URL of its service. */
  readonly path: string;
  /** Name of the operation, such as `museum.listSpecialEvents`. */
  readonly operation?: string | undefined;
  /** The status that the client would receive. */
  readonly status?: number | undefined;
  /** Key of the problem in the response, such as `eventNotFound`. */
  readonly problem?: string | undefined;
  /** Fault that would break the connection, such as `reset`. */
  readonly fault?: string | undefined;
  /** Status that the service produced, if the client received no response. */
  readonly made?: number | undefined;
  /** Part of the body that would be sent, if a fault truncates it. */
  readonly sent?:
    | {
        /** Bytes sent. */
        readonly bytes: number;
        /** Bytes of the whole body. */
        readonly of: number;
      }
    | undefined;
  /** All rules, in order of evaluation. */
  readonly rules: readonly {
    /** The id of the rule. */
    readonly rule: string;
    /** Whether the rule would apply to the request. */
    readonly applied: boolean;
    /** Why the rule applies, or does not apply. */
    readonly why: string;
  }[];
};

/** A valid token that a login returned. */
export type IssuedTokenView = {
  /** The environment that accepts the token. */
  readonly environment: string;
  /** The user who logged in. */
  readonly user: string;
  /** When the login returned the token. ISO 8601 in UTC: 2026-03-01T09:00:00Z. */
  readonly issued: string;
  /** When the token expires. ISO 8601 in UTC: 2026-03-01T09:00:00Z. */
  readonly expires: string;
  /** When the user may log in again. Absent: immediately. ISO 8601 in UTC: 2026-03-01T09:00:00Z. */
  readonly nextLogin?: string | undefined;
};

/** A JSON Web Key Set. */
export type Jwks = {
  /** Public keys as JSON Web Keys. */
  readonly keys: readonly Readonly<Record<string, unknown>>[];
};

/** A problem in the client's traffic, found by a lint rule. */
export type LintView = {
  /** Key of the lint rule, such as `retryStorm`. */
  readonly rule: string;
  /** `error`, `warning` or `hint`. */
  readonly severity: string;
  /** What the client does wrong. */
  readonly title: string;
  /** Numbers of the exchanges that show the problem. */
  readonly exchanges: readonly number[];
  /** How to fix the client. */
  readonly advice: string;
};

/** An operation with its documented responses. `Rule` is the type of the rules that trigger them. */
export type OperationView<Rule = RuleInput> = {
  /** Name of the operation, such as `museum.createSpecialEvent`. */
  readonly name: string;
  /** `museum` or `account`. */
  readonly service: string;
  /** GET, POST, …. */
  readonly method: string;
  /** Path relative to the service, with path parameters in braces. */
  readonly path: string;
  /** What the operation does, in one line. */
  readonly summary: string;
  /** Documented responses, each with a rule that triggers it once. */
  readonly outcomes: readonly {
    /** The status of the response. */
    readonly status: number;
    /** Key of the problem. Absent for a successful response. */
    readonly problem?: string | undefined;
    /** Meaning of the response. */
    readonly title: string;
    /** Document and section that describe the response, and assumptions. */
    readonly source: string;
    readonly rule: Rule;
  }[];
};

/** A preset: a scenario that the package contains. */
export type PresetView = {
  /** Name of the preset, such as `expired-token`. */
  readonly name: string;
  /** Purpose of the preset, in one line. */
  readonly title: string;
  /** What the preset changes. */
  readonly description?: string | undefined;
};

/** The request for which `explain` predicts the response. */
export type ExplainInput = {
  /** GET, POST, …. */
  readonly method: string;
  /** Path, with or without the base path of the service. `{eventId}` gets an example value. */
  readonly path: string;
  /** Headers. Default: valid credentials. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** JSON body. Default: a valid example. */
  readonly body?: unknown | undefined;
};

/** A change of a rule. Omitted fields keep their values. */
export type RuleUpdate = {
  /** `false` disables the rule, `true` enables it. */
  readonly enabled?: boolean | undefined;
  /** Moves the rule in front of the rule with this id. `null`: moves it to the end. */
  readonly before?: string | null | undefined;
  readonly rule?: RuleInput | undefined;
};

/** A setting and its value. */
export type SettingView = {
  /** Name of the setting, such as `museum.strict`. */
  readonly name: string;
  /** Effect of the setting. */
  readonly description: string;
  /** The current value. */
  readonly value?: unknown | undefined;
  /** The default value. */
  readonly default?: unknown | undefined;
};

/** A saved state of a world, for `restore`. */
export type Snapshot = {
  /** The name of the snapshot. */
  readonly id: string;
};

/** Differences between a snapshot and the current state. */
export type StateDifference = {
  /** Collections that differ, by `environment/collection`. */
  readonly collections: Readonly<
    Record<
      string,
      {
        /** Keys of the entities that were added after the snapshot. */
        readonly added: readonly string[];
        /** Keys of the entities that were removed after the snapshot. */
        readonly removed: readonly string[];
        /** Entities whose fields differ. */
        readonly changed: readonly {
          /** The key of the entity. */
          readonly key: string;
          /** Names of the fields that differ. */
          readonly fields: readonly string[];
        }[];
      }
    >
  >;
  /** Whether the time of the clock, or its mode, differs. */
  readonly clock: boolean;
  /** Whether a setting differs. */
  readonly settings: boolean;
  /** Whether the rules differ. */
  readonly rules: boolean;
};

/** Summary of a world: clock, counts, and a digest of its state. */
export type StateReport = {
  /** The name of the world. */
  readonly world: string;
  /** The clock of the world. */
  readonly clock: {
    /** The simulated time. ISO 8601 in UTC: 2026-03-01T09:00:00Z. */
    readonly now: string;
    /** Whether the clock is frozen or runs. */
    readonly mode: "frozen" | "ticking";
  };
  /** The number of entities, by `environment/collection`. */
  readonly collections: Readonly<Record<string, number>>;
  /** The number of mails in the mailbox. */
  readonly mails: number;
  /** The number of exchanges in the journal. */
  readonly exchanges: number;
  /** Id of the journal, only over HTTP. A new id means that the journal was cleared or replaced. */
  readonly journal?: string | undefined;
  /** Problems that belong to no exchange, such as a mail that could not be sent. */
  readonly notices: readonly {
    /** Kind of problem. */
    readonly key: string;
    /** Description of the problem. */
    readonly message: string;
  }[];
  /** SHA-256 of data, clock, settings and rules, in hex. Equal states have equal digests. */
  readonly digest: string;
};

/** The token to create. */
export type TokenInput = {
  /** User name, such as `ada@example.test`. Default: the first user. */
  readonly user?: string | undefined;
  /** `account` (default) or `accountSandbox`. */
  readonly environment?: string | undefined;
  /** `valid` (default), or a kind of invalid token, such as `expired`. */
  readonly kind?: string | undefined;
};

/** Invoices to simulate. */
export type UsageInput = {
  /** Number of sent invoices. From 0 to 1,000,000. Default: 0. */
  readonly sent?: number | undefined;
  /** Number of received invoices. From 0 to 1,000,000. Default: 0. */
  readonly received?: number | undefined;
  /** When the invoices were processed. Default: now. ISO 8601 in UTC: 2026-03-01T09:00:00Z. */
  readonly at?: string | undefined;
  /** User name, such as `ada@example.test`. Default: the first user. */
  readonly user?: string | undefined;
  /** `account` (default) or `accountSandbox`. */
  readonly environment?: string | undefined;
};

/** Result of `usage.record`. The account service adds more fields. */
export type ReceiptView = {
  /** The environment of the user. */
  readonly environment: string;
  /** The user name. */
  readonly user: string;
  /** When the invoices were processed. ISO 8601 in UTC: 2026-03-01T09:00:00Z. */
  readonly at: string;
};

/** A world and its URLs. */
export type WorldView = {
  /** The name of the world. */
  readonly id: string;
  readonly urls: Urls;
};
