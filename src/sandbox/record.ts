/**
 * A whole world as one JSON value: data, clock, ids, settings, rules with their counts, mailbox, journal, the start that
 * `reset` goes back to, and the snapshots. Nothing in it belongs to a process. Passwords stand in it as they are.
 *
 * Not in a record: requests under way, which get a 503 where a record replaces their world; coverage, which belongs to
 * the server; and options of the server such as `smtp`.
 */

import { z } from "zod";
import { type JournalRecord, JournalSchema } from "../journal/journal-record.ts";
import { issuesUnder, type ValidationIssue } from "../operation/issue.ts";
import { toPointer } from "../operation/path.ts";
import type { Service } from "../operation/service.ts";
import { check } from "../operation/validate.ts";
import { type Locate, throwAll, toMistakes } from "../scenario/complaint.ts";
import {
  type RulesRecord,
  RulesSchema,
  readRules,
  rulesIssues,
  writeRules,
} from "../scenario/rules-record.ts";
import { once } from "../world/once.ts";
import { type LayerTable, MomentReader, type MomentRecord, MomentWriter } from "../world/record.ts";
import { EARLIEST, LATEST } from "../world/time.ts";
import { UsageError } from "../world/usage-error.ts";
import { entityIssues } from "./record-entities.ts";
import type { KeptState, SandboxSnapshot, SandboxState, Settings } from "./sandbox-state.ts";

export const FORMAT = "vitrine-world-1";

/** A world at one moment. */
export type SandboxMoment = MomentRecord & { readonly settings: Settings; readonly rules: RulesRecord };

/** All moments of a world over a table of layers. */
export type WorldMoments = {
  readonly present: SandboxMoment;
  /** What `reset` goes back to. */
  readonly start: SandboxMoment;
  /** In the order in which they were taken. */
  readonly snapshots: readonly (SandboxMoment & { readonly id: string })[];
  /** How many snapshots without a name were taken. */
  readonly taken: number;
  /** What the settings of a scenario are merged into. */
  readonly baseSettings: Settings;
};

export type WorldRecord = WorldMoments & {
  readonly format: typeof FORMAT;
  /** The world that it was taken of. Under another name its tokens are no longer valid. */
  readonly id: string;
  readonly layers: LayerTable;
  readonly journal: JournalRecord;
};

export function writeRecord(id: string, state: SandboxState): WorldRecord {
  const writer = new MomentWriter();
  const moments = writeMoments(writer, state);
  return { format: FORMAT, id, layers: writer.layers, ...moments, journal: state.journal };
}

/** The writer has the layers. */
export function writeMoments(writer: MomentWriter, state: KeptState): WorldMoments {
  const moment = ({ world, settings, rules }: SandboxSnapshot): SandboxMoment => {
    return { ...writer.write(world), settings, rules: writeRules(rules) };
  };
  const { taken, baseSettings } = state;
  const start = moment(state.start);
  const snapshots = state.snapshots.map((one) => ({ id: one.id, ...moment(one) }));
  return { present: moment(state.present), start, snapshots, taken, baseSettings };
}

/** What `writeMoments` wrote. Checks nothing. */
export function readMoments(reader: MomentReader, moments: WorldMoments): KeptState {
  const snapshot = (id: string, { settings, rules, ...moment }: SandboxMoment): SandboxSnapshot => {
    return { id, world: reader.read(moment), settings, rules: readRules(rules) };
  };
  return {
    present: snapshot("present", moments.present),
    start: snapshot("start", moments.start),
    snapshots: moments.snapshots.map(({ id, ...moment }) => snapshot(id, moment)),
    taken: moments.taken,
    baseSettings: moments.baseSettings,
  };
}

const locate: Locate = (message, path) => new UsageError("badRecord", message, { pointer: toPointer(path) });

/** The state that a record describes. Checks every part of it; throws a UsageError that tells the mistakes. */
export function readRecord(value: unknown, services: readonly Service[]): SandboxState {
  const { issues, value: record } = check(RecordSchema(), value);
  if (issues !== undefined) {
    throwAll(toMistakes(issues, locate));
    throw new Error("Nothing is wrong with the record that was refused");
  }
  throwAll(toMistakes(recordIssues(record, services), locate));
  const reader = new MomentReader(record.layers, (id) => {
    const message = `The layer ${JSON.stringify(id)} is not in the table, or comes after one that needs it.`;
    throw new UsageError("badRecord", message, { pointer: "/layers" });
  });
  return { ...readMoments(reader, record), journal: record.journal };
}

/** What does not fit the services, in a record that fits the schema. */
function recordIssues(record: WorldRecord, services: readonly Service[]): readonly ValidationIssue[] {
  const moments = [
    { path: ["present"], moment: record.present },
    { path: ["start"], moment: record.start },
    ...record.snapshots.map((moment, index) => ({ path: ["snapshots", index], moment })),
  ];
  return [
    ...issuesUnder(["baseSettings"], settingsIssues(record.baseSettings, services)),
    ...moments.flatMap(({ path, moment }) =>
      issuesUnder(path, [
        ...issuesUnder(["settings"], settingsIssues(moment.settings, services)),
        ...issuesUnder(["rules"], rulesIssues(moment.rules, services)),
      ]),
    ),
    ...entityIssues(record.layers, moments, services),
  ];
}

/** Settings are complete: each service has its own. */
function settingsIssues(settings: Settings, services: readonly Service[]): readonly ValidationIssue[] {
  return services.flatMap(({ name, settings: schema }) =>
    issuesUnder([name], check(schema, settings[name]).issues ?? []),
  );
}

const RecordSchema = once(() => {
  const instant = z.int().min(EARLIEST).max(LATEST);
  const clock = z.discriminatedUnion("mode", [
    z.strictObject({ mode: z.literal("frozen"), at: instant }),
    z.strictObject({ mode: z.literal("ticking"), offsetMs: z.int().min(-LATEST).max(LATEST) }),
  ]);
  const settings = z.record(z.string(), z.json());
  const moment = {
    seed: z.int().min(0),
    clock,
    collections: z.record(z.string(), z.string()),
    counters: z.record(z.string(), z.int().min(0)),
    values: z.record(z.string(), z.json()),
    settings,
    rules: RulesSchema(),
  };
  const entity = z.record(z.string(), z.json());
  const entry = z.union([
    z.tuple([z.string(), z.int().min(0)]),
    z.tuple([z.string(), z.int().min(0), entity]),
  ]);
  const schema = z.strictObject({
    format: z.literal(FORMAT),
    id: z.string(),
    layers: z.record(z.string(), z.strictObject({ parent: z.string().optional(), entries: z.array(entry) })),
    present: z.strictObject(moment),
    start: z.strictObject(moment),
    snapshots: z.array(z.strictObject({ id: z.string().min(1).max(100), ...moment })).max(1_000),
    taken: z.int().min(0),
    baseSettings: settings,
    journal: JournalSchema(),
  });
  return schema as unknown as z.ZodType<WorldRecord>; // the same shape; zod infers what may also be undefined
});
