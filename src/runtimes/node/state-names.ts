/** The names of the files in a state folder, where N is the number of a generation. */

import { randomUUID } from "node:crypto";

export const MANIFEST = "state.json";
/** The journals, where they are kept. */
export const JOURNAL = "journal.jsonl";

type Kind = "state" | "entities" | "log";
const NUMBERED = /^(state|entities|log)-(\d+)\.jsonl?$/;
/** As such a file is called until it is whole. */
const BESIDE = /^\.(state\.json|journal\.jsonl)\./;

export const previousManifest = (generation: number): string => `state-${generation}.json`;
export const entitiesFile = (generation: number): string => `entities-${generation}.jsonl`;
export const logFile = (generation: number): string => `log-${generation}.jsonl`;

/** A name that nobody can foresee, for a file that will replace this one. */
export const besideFile = (name: typeof MANIFEST | typeof JOURNAL): string => `.${name}.${randomUUID()}`;

/** What a process that died while it wrote such a file leaves: it was never put in place. */
export const isBeside = (name: string): boolean => BESIDE.test(name);

export function generationOf(name: string): { readonly kind: Kind; readonly generation: number } | undefined {
  const [, kind, number] = NUMBERED.exec(name) ?? [];
  return kind === undefined ? undefined : { kind: kind as Kind, generation: Number(number) };
}

/** The numbers of all generations of which something is there, or one kind of file. */
export function generationsOf(names: readonly string[], only?: Kind): readonly number[] {
  return names.flatMap((name) => {
    const found = generationOf(name);
    return found === undefined || (only !== undefined && found.kind !== only) ? [] : found.generation;
  });
}

/** Whether a file belongs to a state. */
export function isOfState(name: string): boolean {
  return name === MANIFEST || name === JOURNAL || isBeside(name) || generationOf(name) !== undefined;
}
