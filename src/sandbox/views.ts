/** Generated: types; `npm run docs` writes it from the schemas. */

import type { RuleInput } from "../rules/grammar.ts";
import type { Urls } from "./addresses.ts";

/** A point that the documents of a service leave open. */
export type AssumptionView = {
  /** museum or account. */
  readonly service: string;
  /** Id of the point within the service, as `vitrine assumptions` prints it. */
  readonly id: string;
  /** The question that the documents of the service leave open. */
  readonly point: string;
  /** The behavior of the sandbox. */
  readonly served: string;
  /** The setting that changes it. */
  readonly setting?: string | undefined;
};

/** Whether a rule or a scenario could be used now, and every error in it. */
export type CheckReport = {
  /** Whether it can be used now. */
  readonly ok: boolean;
  /** All errors. */
  readonly mistakes: readonly {
    /** The error, and how to fix it. */
    readonly message: string;
    /** JSON Pointer to the error. */
    readonly pointer?: string | undefined;
  }[];
};

/** The credentials of a user. */
export type CredentialView = {
  /** The environment that accepts them. */
  readonly environment: string;
  /** The name of the user. */
  readonly user: string;
  /** The password in plain text. */
  readonly password: string;
  /** Present if any other pair is accepted too. */
  readonly any?: true | undefined;
};

/** The scenario in force; without one its name is `default`. */
export type CurrentScenario = {
  /** The name of the active scenario. Default: `default`. */
  readonly name: string;
  /** Its purpose, in one line. */
  readonly title?: string | undefined;
  /** The ids of its rules. */
  readonly rules: readonly string[];
};

/** The result of a request that was not sent. */
export type Explanation = {
  /** The method of the request. */
  readonly method: string;
  /** The path of the request, within its service. */
  readonly path: string;
  /** The operation that matches: `museum.listSpecialEvents`. */
  readonly operation?: string | undefined;
  /** The status that the client would receive. */
  readonly status?: number | undefined;
  /** Key of the problem that would be returned. */
  readonly problem?: string | undefined;
  /** The fault that would occur. */
  readonly fault?: string | undefined;
  /** The status of a response that would not be sent. */
  readonly made?: number | undefined;
  /** How much of the body would be sent, if a fault truncates it. */
  readonly sent?:
    | {
        /** Number of bytes sent. */
        readonly bytes: number;
        /** Size of the body. */
        readonly of: number;
      }
    | undefined;
  /** Every rule, in order of evaluation. */
  readonly rules: readonly {
    /** The id of the rule. */
    readonly rule: string;
    /** Whether the rule would apply to the request. */
    readonly applied: boolean;
    /** The reason. */
    readonly why: string;
  }[];
};

/** A token that a login handed out. */
export type IssuedTokenView = {
  /** The environment that accepts it. */
  readonly environment: string;
  /** The user who logged in. */
  readonly user: string;
  /** When it was issued. ISO 8601 in UTC: 2026-03-01T09:00:00Z. */
  readonly issued: string;
  /** When it expires. ISO 8601 in UTC: 2026-03-01T09:00:00Z. */
  readonly expires: string;
  /** When its user may log in again. Default: now. ISO 8601 in UTC: 2026-03-01T09:00:00Z. */
  readonly nextLogin?: string | undefined;
};

/** A JSON Web Key Set. */
export type Jwks = {
  /** Public keys as JSON Web Keys. */
  readonly keys: readonly Readonly<Record<string, unknown>>[];
};

/** One finding about the client's traffic in the journal. */
export type LintView = {
  /** Key of the lint rule. */
  readonly rule: string;
  /** `error`, `warning` or `hint`. */
  readonly severity: string;
  /** What the client does. */
  readonly title: string;
  /** Numbers of the exchanges that show it. */
  readonly exchanges: readonly number[];
  /** What to do instead. */
  readonly advice: string;
};

/** An operation; `Rule` is the type of its rules. */
export type OperationView<Rule = RuleInput> = {
  /** The name in rules: `museum.createSpecialEvent`. */
  readonly name: string;
  /** museum or account. */
  readonly service: string;
  /** GET, POST, …. */
  readonly method: string;
  /** Path relative to the service, with path parameters in braces. */
  readonly path: string;
  /** Its effect, in one line. */
  readonly summary: string;
  /** Documented responses, each with a rule that triggers it once. */
  readonly outcomes: readonly {
    /** The status of the response. */
    readonly status: number;
    /** Key of the problem. Absent for a success. */
    readonly problem?: string | undefined;
    /** The meaning. */
    readonly title: string;
    /** Document and section. */
    readonly source: string;
    readonly rule: Rule;
  }[];
};

/** A scenario that comes with the package. */
export type PresetView = {
  /** `name` of `PUT /scenario`. */
  readonly name: string;
  /** Its purpose, in one line. */
  readonly title: string;
  /** Description of its effects. */
  readonly description?: string | undefined;
};

/** A request to explain. */
export type ExplainInput = {
  /** GET, POST, …. */
  readonly method: string;
  /** With or without the base path. Path parameters in braces are filled in. */
  readonly path: string;
  /** Default: valid credentials. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The JSON body. Default: a valid one. */
  readonly body?: unknown | undefined;
};

/** A change of a rule; omitted parts stay as they are. */
export type RuleUpdate = {
  /** `false` disables the rule, `true` enables it. */
  readonly enabled?: boolean | undefined;
  /** Id of the rule that it moves in front of. `null`: it moves to the end. */
  readonly before?: string | null | undefined;
  readonly rule?: RuleInput | undefined;
};

/** A setting and its value. */
export type SettingView = {
  /** The name in scenarios: `museum.strict`. */
  readonly name: string;
  /** Its effect. */
  readonly description: string;
  /** The current value. */
  readonly value?: unknown | undefined;
  /** The default value. */
  readonly default?: unknown | undefined;
};

/** A state to return to. */
export type Snapshot = {
  /** The name of the snapshot. */
  readonly id: string;
};

/** The differences of two states. */
export type StateDifference = {
  /** Changed collections, by `environment/collection`. */
  readonly collections: Readonly<
    Record<
      string,
      {
        /** Keys of the new entities. */
        readonly added: readonly string[];
        /** Keys of the removed entities. */
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
  /** Whether the time or its mode differs. */
  readonly clock: boolean;
  /** Whether a setting differs. */
  readonly settings: boolean;
  /** Whether a rule differs. */
  readonly rules: boolean;
};

/** The state in numbers. */
export type StateReport = {
  /** The name of the world. */
  readonly world: string;
  /** Simulated time. */
  readonly clock: {
    /** The simulated time. ISO 8601 in UTC: 2026-03-01T09:00:00Z. */
    readonly now: string;
    /** Whether time is frozen or runs. */
    readonly mode: "frozen" | "ticking";
  };
  /** The number of entities, by `environment/collection`. */
  readonly collections: Readonly<Record<string, number>>;
  /** The number of mails in the mailbox. */
  readonly mails: number;
  /** The number of exchanges in the journal. */
  readonly exchanges: number;
  /** Over HTTP, the id of the journal. It changes with each reset, clear, restore and start. */
  readonly journal?: string | undefined;
  /** Problems outside any exchange, such as a failed mail. */
  readonly notices: readonly {
    /** Kind of problem. */
    readonly key: string;
    /** Description. */
    readonly message: string;
  }[];
  /** SHA-256 of the whole state, in hex: equal for equal states. */
  readonly digest: string;
};

/** The token to create. */
export type TokenInput = {
  /** User name for the login. Default: the first user. */
  readonly user?: string | undefined;
  /** account or production (default), accountSandbox or sandbox. */
  readonly environment?: string | undefined;
  /** valid (default), expired, …. */
  readonly kind?: string | undefined;
};

/** Invoices to simulate. */
export type UsageInput = {
  /** Number of sent invoices. From 0 to 1,000,000. Default: 0. */
  readonly sent?: number | undefined;
  /** Number of received invoices. From 0 to 1,000,000. Default: 0. */
  readonly received?: number | undefined;
  /** When they were processed. Default: now. ISO 8601 in UTC: 2026-03-01T09:00:00Z. */
  readonly at?: string | undefined;
  /** User name for the login. Default: the first user. */
  readonly user?: string | undefined;
  /** account or production (default), accountSandbox or sandbox. */
  readonly environment?: string | undefined;
};

/** The account of simulated invoices; the account service adds fields. */
export type ReceiptView = {
  /** The environment of the account. */
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
