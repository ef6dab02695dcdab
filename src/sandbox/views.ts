/** Generated: types; `npm run docs` writes it from the schemas. */

import type { RuleInput } from "../rules/grammar.ts";
import type { Urls } from "./addresses.ts";

/** A point that the documents of a service leave open. */
export type AssumptionView = {
  /** museum or account. */
  readonly service: string;
  /** What its documents leave open. */
  readonly point: string;
  /** What the sandbox does. */
  readonly served: string;
  /** The setting that changes it. */
  readonly setting?: string | undefined;
};

/** Whether a rule or a scenario could be used now, and every error in it. */
export type CheckReport = {
  /** Whether it could be used now. */
  readonly ok: boolean;
  /** Everything that is wrong. */
  readonly mistakes: readonly {
    /** What is wrong, and what would be right. */
    readonly message: string;
    /** JSON pointer to the place of it. */
    readonly pointer?: string | undefined;
  }[];
};

/** The credentials of a user. */
export type CredentialView = {
  /** The environment that takes them. */
  readonly environment: string;
  /** The name of the user. */
  readonly user: string;
  /** The password, as it is sent. */
  readonly password: string;
  /** Any other pair is as good. */
  readonly any?: true | undefined;
};

/** The scenario in force; without one its name is `default`. */
export type CurrentScenario = {
  /** The name of the scenario in force; without one: default. */
  readonly name: string;
  /** What it is about, in one line. */
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
  /** The operation that would take it: `museum.listSpecialEvents`. */
  readonly operation?: string | undefined;
  /** The status that the client would be sent. */
  readonly status?: number | undefined;
  /** Key of the problem that would be answered. */
  readonly problem?: string | undefined;
  /** What would break on the wire. */
  readonly fault?: string | undefined;
  /** The status of an answer that would never leave. */
  readonly made?: number | undefined;
  /** How many bytes of the body would leave, where a fault cuts it off. */
  readonly sent?:
    | {
        /** How many were sent. */
        readonly bytes: number;
        /** How many there were. */
        readonly of: number;
      }
    | undefined;
  /** Every rule in the order in which they are asked. */
  readonly rules: readonly {
    /** The id of the rule. */
    readonly rule: string;
    /** Whether it would act. */
    readonly applied: boolean;
    /** The reason. */
    readonly why: string;
  }[];
};

/** A token that a login handed out. */
export type IssuedTokenView = {
  /** The environment that it is good for. */
  readonly environment: string;
  /** The name that logged in. */
  readonly user: string;
  /** When it was handed out. ISO 8601 in UTC: 2026-03-01T09:00:00Z. */
  readonly issued: string;
  /** When it ends. ISO 8601 in UTC: 2026-03-01T09:00:00Z. */
  readonly expires: string;
  /** When its user may log in again; left out: now. ISO 8601 in UTC: 2026-03-01T09:00:00Z. */
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
  /** How grave it is. */
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
  /** Within the service, with path parameters in braces. */
  readonly path: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** Every documented answer, each with the rule that brings it about, once. */
  readonly outcomes: readonly {
    /** The status of the answer. */
    readonly status: number;
    /** Key of the problem; left out: a success. */
    readonly problem?: string | undefined;
    /** What it means. */
    readonly title: string;
    /** Document and section that say so. */
    readonly source: string;
    readonly rule: Rule;
  }[];
};

/** A scenario that comes with the package. */
export type PresetView = {
  /** What `PUT /scenario` takes as `name`. */
  readonly name: string;
  /** What it is about, in one line. */
  readonly title: string;
  /** What happens in it. */
  readonly description?: string | undefined;
};

/** A request to explain. */
export type ExplainInput = {
  /** GET, POST, …. */
  readonly method: string;
  /** With or without the base address; path parameters in braces are filled in. */
  readonly path: string;
  /** Left out: those of a valid caller. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The JSON body; left out: a valid one. */
  readonly body?: unknown | undefined;
};

/** A change of a rule; omitted parts stay as they are. */
export type RuleUpdate = {
  /** false switches it off, true on again. */
  readonly enabled?: boolean | undefined;
  /** Id of the rule that it is to precede; null: the end. */
  readonly before?: string | null | undefined;
  readonly rule?: RuleInput | undefined;
};

/** A setting and its value. */
export type SettingView = {
  /** The name in scenarios: `museum.strict`. */
  readonly name: string;
  /** What it changes. */
  readonly description: string;
  /** Its value now. */
  readonly value?: unknown | undefined;
  /** Its value where nothing is set. */
  readonly default?: unknown | undefined;
};

/** A state to return to. */
export type Snapshot = {
  /** The name of the snapshot. */
  readonly id: string;
};

/** The differences of two states. */
export type StateDifference = {
  /** By `environment/collection`; those that changed. */
  readonly collections: Readonly<
    Record<
      string,
      {
        /** Keys of the new entities. */
        readonly added: readonly string[];
        /** Keys of the entities that are gone. */
        readonly removed: readonly string[];
        /** Entities with other fields. */
        readonly changed: readonly {
          /** The key of the entity. */
          readonly key: string;
          /** Those that differ. */
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
    /** The simulated now. ISO 8601 in UTC: 2026-03-01T09:00:00Z. */
    readonly now: string;
    /** Whether time stands still or goes on. */
    readonly mode: "frozen" | "ticking";
  };
  /** The number of entities, by `environment/collection`. */
  readonly collections: Readonly<Record<string, number>>;
  /** The number of mails in the mailbox. */
  readonly mails: number;
  /** The number of exchanges in the journal. */
  readonly exchanges: number;
  /** Over HTTP, the id of the journal: another one after each reset, clear, restore and start. */
  readonly journal?: string | undefined;
  /** Problems outside the exchanges, such as a mail that could not be sent. */
  readonly notices: readonly {
    /** What kind of problem it is. */
    readonly key: string;
    /** What went wrong. */
    readonly message: string;
  }[];
  /** SHA-256 of the whole state, in hex: equal for equal states. */
  readonly digest: string;
};

/** The token to create. */
export type TokenInput = {
  /** The name that logs in; default: the first user. */
  readonly user?: string | undefined;
  /** account or production (default), accountSandbox or sandbox. */
  readonly environment?: string | undefined;
  /** valid (default), expired, …. */
  readonly kind?: string | undefined;
};

/** Invoices to simulate. */
export type UsageInput = {
  /** How many invoices were sent. From 0 to 1,000,000; default 0. */
  readonly sent?: number | undefined;
  /** How many invoices were received. From 0 to 1,000,000; default 0. */
  readonly received?: number | undefined;
  /** When they went through; default: now. ISO 8601 in UTC: 2026-03-01T09:00:00Z. */
  readonly at?: string | undefined;
  /** The name that logs in; default: the first user. */
  readonly user?: string | undefined;
  /** account or production (default), accountSandbox or sandbox. */
  readonly environment?: string | undefined;
};

/** The account of simulated invoices; the account service adds fields. */
export type ReceiptView = {
  /** The environment of the account. */
  readonly environment: string;
  /** The name that logs in. */
  readonly user: string;
  /** When the invoices went through. ISO 8601 in UTC: 2026-03-01T09:00:00Z. */
  readonly at: string;
};

/** A world and its URLs. */
export type WorldView = {
  /** The name of the world. */
  readonly id: string;
  readonly urls: Urls;
};
