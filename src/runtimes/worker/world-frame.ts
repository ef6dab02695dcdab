/** Frame of a world: its state except the entities. A log line contains the whole new value of each part that has changed. */

import type { SandboxCore } from "../../sandbox/sandbox.ts";
import type { Settings } from "../../sandbox/sandbox-state.ts";
import { type RulesRecord, readRules, writeRules } from "../../scenario/rules-record.ts";
import type { ClockState } from "../../world/clock.ts";

/** Parts of the state that have changed since the last write. */
export type Frame = {
  readonly seed?: number;
  readonly clock?: ClockState;
  readonly counters?: Readonly<Record<string, number>>;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly settings?: Settings;
} & { readonly [K in keyof RulesRecord]?: RulesRecord[K] };

type FramePart = {
  readonly name: keyof Frame;
  /** Returns a value to detect changes. If it is the same as at the last write, the part is unchanged. */
  readonly mark: (sandbox: SandboxCore) => unknown;
  readonly write: (sandbox: SandboxCore) => unknown;
};

const createStorePart = (name: "counters" | "values"): FramePart => {
  const write: FramePart["write"] = ({ world }) => Object.fromEntries<unknown>(world.store[name]);
  return { name, mark: ({ world }) => world.store.revision, write };
};
const createRulesPart = (name: keyof RulesRecord, mark: FramePart["mark"]): FramePart => {
  return { name, mark, write: ({ ruleSet: rules }) => writeRules(rules.present)[name] };
};

const FRAME_PARTS: readonly FramePart[] = [
  { name: "seed", mark: ({ world }) => world.random.seed, write: ({ world }) => world.random.seed },
  { name: "clock", mark: ({ world }) => world.clock.state, write: ({ world }) => world.clock.state },
  createStorePart("counters"),
  createStorePart("values"),
  { name: "settings", mark: ({ settings }) => settings, write: ({ settings }) => settings },
  createRulesPart("added", ({ ruleSet: rules }) => rules.present.added),
  createRulesPart("layers", ({ ruleSet: rules }) => rules.layers),
  createRulesPart("named", ({ ruleSet: rules }) => rules.present.named),
  createRulesPart("counts", ({ ruleSet: rules }) => rules.present.counters.version),
];

/** Detects which parts of a world's frame have changed since the last write. */
export class FrameTracker {
  readonly #sandbox: SandboxCore;
  readonly #marks: unknown[] = [];
  readonly #texts: string[] = [];

  constructor(sandbox: SandboxCore) {
    this.#sandbox = sandbox;
    this.take();
  }

  /** Returns the changed parts as JSON and marks them as written. Returns undefined if nothing changed. */
  take(): string | undefined {
    const changed: string[] = [];
    for (const [index, { name, mark, write }] of FRAME_PARTS.entries()) {
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
}

/** Applies the changed parts of a frame to a sandbox. */
export function applyFrame(sandbox: SandboxCore, frame: Frame): void {
  const { seed, clock, counters, values, settings, ...rules } = frame;
  const { world } = sandbox;
  if (seed !== undefined) world.random.reseed(seed);
  if (clock !== undefined) world.clock.restore(clock);
  if (counters !== undefined || values !== undefined)
    world.store.apply([], counters && Object.entries(counters), values && Object.entries(values));
  if (settings !== undefined) sandbox.changeSettings(settings);
  if (Object.keys(rules).length > 0)
    sandbox.ruleSet.restore(readRules({ ...writeRules(sandbox.ruleSet.present), ...rules }));
}
