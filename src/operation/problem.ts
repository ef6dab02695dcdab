/**
 * What a refusal is: a service's catalogue of problems, and one refusal drawn from it. The service's codec
 * decides how a refusal looks on the wire.
 */

/** One documented refusal. */
export type Problem = {
  readonly status: number;
  /** Shown when the refusal has no title of its own. */
  readonly title: string;
  /** Where it is documented: document and section, or `Assumed: …` with the reason. */
  readonly source: string;
  /** Sent with every such refusal. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Shown when a rule injects this problem without violations of its own. */
  readonly violations?: readonly Violation[];
};

/** One failed check of one field. */
export type Violation = {
  /** The field as the client sent it: `threshold`, `dates[0]`. */
  readonly propertyPath: string;
  readonly message: string;
  /** A stable code, where the service has one. */
  readonly code?: string | undefined;
};

/** The problems of a service, by key. Keys name the state of things (`soldOut`), not the status. */
export type Catalogue = Readonly<Record<string, Problem>>;

export function defineProblems<const C extends Catalogue>(catalogue: C): C {
  return catalogue;
}

/** One refusal: a problem by key, and what is special about this case. */
export type Refusal<K extends string = string> = {
  readonly kind: "refusal";
  readonly problem: K;
  readonly title?: string | undefined;
  readonly violations?: readonly Violation[] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What the handler wrote before it refused stays; otherwise a refusal undoes it. */
  readonly keepsChanges?: true | undefined;
};

export type RefusalDetails = Omit<Refusal, "kind" | "problem">;

export function refusal<K extends string>(problem: K, details: RefusalDetails = {}): Refusal<K> {
  return { kind: "refusal", problem, ...details };
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && (value as { kind?: unknown }).kind === "refusal";
}

/**
 * A request that fails before any handler sees it. The service's codec turns each of these into a refusal of that
 * service, so that no error ever has a foreign shape.
 */
export type Rejection =
  | { readonly kind: "badTarget"; readonly message: string }
  | { readonly kind: "unknownPath" }
  | { readonly kind: "wrongMethod"; readonly allow: readonly string[] }
  | { readonly kind: "notAcceptable"; readonly accept: string }
  | { readonly kind: "unsupportedMedia"; readonly contentType: string | undefined; readonly message?: string }
  | { readonly kind: "bodyTooLarge"; readonly limitBytes: number }
  | { readonly kind: "malformedBody"; readonly message: string; readonly pointer?: string | undefined }
  | { readonly kind: "invalidInput"; readonly issues: readonly Issue[] };

/** One reason why input does not fit its schema. */
export type Issue = {
  readonly in: "path" | "query" | "body";
  readonly path: readonly (string | number)[];
  /** `missing`: not sent; `type`: another JSON type; `rule`: right type, wrong value; `unknown`: no such field. */
  readonly code: "missing" | "type" | "rule" | "unknown";
  /** What would be valid, for a human reader. */
  readonly message: string;
  readonly expected?: string | undefined;
  readonly received: unknown;
};

/** A check beyond the schema that a value fails, with the path and message of an issue. */
export type BrokenRule = Pick<Issue, "path" | "message">;
