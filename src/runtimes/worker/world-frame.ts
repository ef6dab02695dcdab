/** What a world has besides its entities, in parts that are written whole when they changed. */

import type { SandboxCore } from "../../sandbox/sandbox.ts";
import type { Settings } from "../../sandbox/sandbox-state.ts";
import { type RulesRecord, readRules, writeRules } from "../../scenario/rules-record.ts";
import type { ClockState } from "../../world/clock.ts";

/** The parts that changed. */
export type Frame = {
  readonly seed?: number;
  readonly clock?: ClockState;
  readonly counters?: Readonly<Record<string, number>>;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly settings?: Settings;
} & { readonly [K in keyof RulesRecord]?: RulesRecord[K] };

type Part = {
  readonly name: keyof Frame;
  /** Another one whenever the part may have changed. */
  readonly mark: (sandbox: SandboxCore) => unknown;
  readonly write: (sandbox: SandboxCore) => unknown;
};

const rulesPart = (name: keyof RulesRecord, mark: Part["mark"]): Part => {
  return { name, mark, write: ({ rules }) => writeRules(rules.present)[name] };
};

const PARTS: readonly Part[] = [
  { name: "seed", mark: ({ world }) => world.random.seed, write: ({ world }) => world.random.seed },
  { name: "clock", mark: ({ world }) => world.clock.state, write: ({ world }) => world.clock.state },
  {
    name: "counters",
    mark: ({ world }) => world.store.numbered,
    write: ({ world }) => Object.fromEntries(world.store.counters),
  },
  {
    name: "values",
    mark: ({ world }) => world.store.numbered,
    write: ({ world }) => Object.fromEntries(world.store.values),
  },
  { name: "settings", mark: ({ settings }) => settings, write: ({ settings }) => settings },
  rulesPart("added", ({ rules }) => rules.present.added),
  rulesPart("scenario", ({ rules }) => rules.scenario),
  rulesPart("named", ({ rules }) => rules.present.named),
  rulesPart("counts", ({ rules }) => rules.present.counters.version),
];

/** What is known to be written of a world's frame. */
export class FrameNotes {
  readonly #sandbox: SandboxCore;
  readonly #marks: unknown[] = [];
  readonly #texts: string[] = [];

  constructor(sandbox: SandboxCore) {
    this.#sandbox = sandbox;
    this.note();
  }

  /** Whether something may have changed since. */
  get isChanged(): boolean {
    return PARTS.some(({ mark }, index) => mark(this.#sandbox) !== this.#marks[index]);
  }

  /** The parts that changed as a JSON text, from now on known; undefined when there are none. */
  take(): string | undefined {
    const changed: string[] = [];
    for (const [index, { name, mark, write }] of PARTS.entries()) {
      const now = mark(this.#sandbox);
      if (now === this.#marks[index]) continue;
      this.#marks[index] = now;
      const text = JSON.stringify(write(this.#sandbox));
      if (text === this.#texts[index]) continue;
      this.#texts[index] = text;
      changed.push(`"${name}":${text}`);
    }
    return changed.length === 0 ? undefined : `{${changed.join(",")}}`;
  }

  /** All is known as it is now. */
  note(): void {
    this.take();
  }
}

/** Gives a sandbox the parts of a frame. */
export function applyFrame(sandbox: SandboxCore, frame: Frame): void {
  const { seed, clock, counters, values, settings, ...rules } = frame;
  const { world } = sandbox;
  if (seed !== undefined) world.random.reseed(seed);
  if (clock !== undefined) world.clock.restore(clock);
  if (counters !== undefined || values !== undefined)
    world.store.apply([], counters && Object.entries(counters), values && Object.entries(values));
  if (settings !== undefined) sandbox.changeSettings(settings);
  if (Object.keys(rules).length > 0)
    sandbox.rules.restore(readRules({ ...writeRules(sandbox.rules.present), ...rules }));
}
