/** The error class for invalid use of the sandbox. The CLI prints only its message, without a stack. */

/** Location of an error in a file. `line` and `column` count from 1; `pointer` is a JSON Pointer. */
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

  /** Returns a copy of the error, whose pointer has the prefix `base`. */
  under(base: string): UsageError {
    const place = { ...this.place, pointer: base + (this.place.pointer ?? "") };
    return new UsageError(this.code, this.#message, place, { cause: this });
  }
}

/** Runs `act`. If it throws a UsageError, adds the prefix `base` to the pointer of the error. */
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
