/** Actions of the dashboard: a call of the control API, the same in a test, its message, and how it is undone. */

import { encodePercent } from "../http/percent.ts";
import type { RuleStatus } from "../rules/rule.ts";
import type { StateReport } from "../sandbox/views.ts";
import { STAGES } from "./stage.ts";

type ControlCall = {
  /** As the control API has it: `POST /rules`. `{id}` is the id in the answer to the action. */
  readonly route: `${"POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;
  readonly body?: unknown;
};

export type DashboardAction = ControlCall & {
  /** The same in a test. */
  readonly test: string;
  /** What is so afterwards. */
  readonly done: string;
  /** The calls that revert this action alone, or the whole world as it was before. */
  readonly undo?: readonly ControlCall[] | "world";
};

const code = (value: unknown): string => JSON.stringify(value);

export const reset: DashboardAction = {
  route: "POST /reset",
  test: "sandbox.reset();",
  done: "The world is as it was at its start.",
  undo: "world",
};
export const clearJournal: DashboardAction = {
  route: "DELETE /journal",
  test: "sandbox.journal.clear();",
  done: "Journal cleared. Open requests stay.",
};
export const clearMails: DashboardAction = {
  route: "DELETE /mailbox",
  test: "sandbox.mailbox.clear();",
  done: "The mailbox is empty.",
};
export const resetScenario: DashboardAction = {
  route: "DELETE /scenario",
  test: "await sandbox.clearScenario();",
  done: "Plain again: no scenario.",
  undo: "world",
};

export const removeWorld = (id: string): DashboardAction => ({
  route: `DELETE /worlds/${id}`,
  test: `sandbox.worlds.remove(${code(id)});`,
  done: `The world ${id} has ended.`,
});
export const forkWorld = (name: string): DashboardAction => ({
  route: "POST /worlds",
  body: name === "" ? {} : { name },
  test: `const world = sandbox.fork(${name === "" ? "" : code(name)});`,
  done: "A new world, as this one is now.",
});

/** The names of the presets that are in force, the first applied first. */
export function parsePresets(scenario: string): readonly string[] {
  return scenario === "default" ? [] : scenario.split(" + ");
}
/** A stage changes clock and data too. */
export const addPreset = (name: string): DashboardAction => ({
  route: "POST /scenario",
  body: { name },
  test: `await sandbox.addScenario(${code(name)});`,
  done: `${name} is on.`,
  undo: Object.hasOwn(STAGES, name) ? "world" : [{ route: `DELETE /scenario/${encodePercent(name)}` }],
});
export const removePreset = (name: string): DashboardAction => ({
  route: `DELETE /scenario/${encodePercent(name)}`,
  test: `sandbox.removeScenario(${code(name)});`,
  done: `${name} is off.`,
  ...(Object.hasOwn(STAGES, name) ? {} : { undo: [{ route: "POST /scenario", body: { name } }] }),
});

export const addRule = (rule: object): DashboardAction => ({
  route: "POST /rules",
  body: rule,
  test: `sandbox.use(${code(rule)});`,
  done: "The rule acts from the next request on.",
  undo: [{ route: "DELETE /rules/{id}" }],
});
const changeRule = (id: string, change: object, old: object, done: string): DashboardAction => ({
  route: `PATCH /rules/${encodePercent(id)}`,
  body: change,
  test: `sandbox.rules.update(${code(id)}, ${code(change)});`,
  done: `The rule ${id} ${done}.`,
  undo: [{ route: `PATCH /rules/${encodePercent(id)}`, body: old }],
});
export const toggleRule = (id: string, enabled: boolean) =>
  changeRule(id, { enabled }, { enabled: !enabled }, `is ${enabled ? "on" : "off"}`);
/** `next`: the rule that it came before until now. */
export const moveRule = (id: string, before: string | null, next: string | null) =>
  changeRule(id, { before }, { before: next }, "has moved");
export const replaceRule = (id: string, rule: object, old: object) =>
  changeRule(id, { rule }, { rule: old }, "is as you wrote it");
export const removeRule = ({ id, rule, enabled }: RuleStatus, next: string | null): DashboardAction => ({
  route: `DELETE /rules/${encodePercent(id)}`,
  test: `sandbox.rules.remove(${code(id)});`,
  done: `The rule ${id} is gone.`,
  undo: [
    { route: "POST /rules", body: { ...rule, id } },
    { route: `PATCH /rules/${encodePercent(id)}`, body: { before: next, enabled } },
  ],
});

type Clock = StateReport["clock"];
/** `clock`: as it was before. */
const changeClock = (
  change: object,
  call: string,
  done: string,
  { now: at, mode }: Clock,
): DashboardAction => ({
  route: "by" in change ? "POST /clock/advance" : "PUT /clock",
  body: change,
  test: `${"by" in change ? "await " : ""}sandbox.clock.${call};`,
  done,
  undo: [{ route: "PUT /clock", body: { at, mode } }],
});
export const freeze = (clock: Clock) =>
  changeClock({ mode: "frozen" }, "freeze()", "The clock stands still.", clock);
export const resume = (clock: Clock) =>
  changeClock({ mode: "ticking" }, "resume()", "The clock goes on.", clock);
export const advance = (by: string, clock: Clock) =>
  changeClock({ by }, `advance(${code(by)})`, `The clock is ${by} later.`, clock);
export const setClock = (at: string, clock: Clock) =>
  changeClock({ at }, `set(${code(at)})`, `It is ${at}.`, clock);

export const release = (gate: string, exchange: number): DashboardAction => ({
  route: `POST /gates/${encodePercent(gate)}/release`,
  body: { exchange },
  test: `sandbox.gates.release(${code(gate)}, ${exchange});`,
  done: `#${exchange} goes on.`,
});
export const clearThrottle = (user: string, environment: string): DashboardAction => ({
  route: `DELETE /throttle/${encodePercent(user)}?environment=${environment}`,
  test: `sandbox.auth.clearThrottle(${code(user)}, ${code(environment)});`,
  done: `${user} may log in again.`,
});
type Invoices = { readonly sent: number; readonly received: number };
export const recordUsage = (usage: Invoices): DashboardAction => ({
  route: "POST /usage",
  body: usage,
  test: `sandbox.usage.record(${code(usage)});`,
  done: `${usage.sent + usage.received} invoices went through.`,
});
/** `known`: one of the same name is overwritten, and does not come back. */
export const takeSnapshot = (name: string, known: readonly string[]): DashboardAction => ({
  route: "POST /snapshots",
  body: name === "" ? {} : { name },
  test: `const before = sandbox.snapshot(${name === "" ? "" : code(name)});`,
  done: "The snapshot is taken.",
  ...(known.includes(name) ? {} : { undo: [{ route: "DELETE /snapshots/{id}" }] }),
});
export const restoreSnapshot = (id: string): DashboardAction => ({
  route: `POST /snapshots/${encodePercent(id)}/restore`,
  test: `sandbox.restore(${code(id)});`,
  done: `The world is as in ${id}.`,
  undo: "world",
});

/** The action as a command for a shell; `control` is the address of the control API. */
export function formatActionCurl({ route, body }: DashboardAction, control: string): string {
  const [method = "", path = ""] = route.split(/ (.*)/s);
  const sent = JSON.stringify(body ?? {}).replaceAll("'", "'\\''");
  return [
    `curl -X ${method} '${control}${path}'`,
    ...(method === "DELETE" ? [] : ["-H 'Content-Type: application/json'", `-d '${sent}'`]),
  ].join(" ");
}
