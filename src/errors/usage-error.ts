/** The one error class for mistakes of the sandbox's user. Printed as one line, never with a stack. */

/** Where in a file the mistake is: 1-based line and column, and a JSON pointer. */
export type SourceLocation = {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly pointer?: string | undefined;
};

export type UsageCode =
  | "badOption"
  | "badDuration"
  | "badInstant"
  | "badScenario"
  | "badData"
  | "badRecord"
  | "unknownScenario"
  | "unknownWorld"
  | "worldLimit"
  | "worldExists"
  | "unknownName"
  | "loginRefused"
  | "timedOut"
  | "journalChanged"
  | "portInUse"
  | "stateUnreadable"
  | "stateLocked"
  | "notVerified"
  | "closed";

export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code: UsageCode;
  readonly place: SourceLocation;
  readonly #message: string;

  constructor(code: UsageCode, message: string, place: SourceLocation = {}, options?: ErrorOptions) {
    super(addLocation(message, place), options);
    this.code = code;
    this.place = place;
    this.#message = message;
  }

  /** The same mistake in a part that is at the pointer `base` of the whole. */
  under(base: string): UsageError {
    const place = { ...this.place, pointer: base + (this.place.pointer ?? "") };
    return new UsageError(this.code, this.#message, place, { cause: this });
  }
}

/** Runs `act`; an error of the user's is reported at the pointer `base`, which leads to the part that caused it. */
export function runAtPointer<T>(base: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw error instanceof UsageError ? error.under(base) : error;
  }
}

function addLocation(message: string, { file, line, column, pointer }: SourceLocation): string {
  const position = [file, line, column].filter((part) => part !== undefined).join(":");
  const at = pointer ? ` (at ${pointer})` : "";
  return position ? `${position}: ${message}${at}` : `${message}${at}`;
}
