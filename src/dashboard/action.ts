/** Actions of the dashboard. Each is a call of the control API with its message, its undo, and code for a test. */

import { encodePercent } from "../http/percent.ts";
import type { RuleStatus } from "../rules/rule.ts";
import type { StateReport } from "../sandbox/views.ts";

type ControlCall = {
  /** Route of the control API, such as `POST /rules`. In a call of `undo`, `{id}` stands for the id in the response to the action. */
  readonly route: `${"POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;
  readonly body?: unknown;
};

export type DashboardAction = ControlCall & {
  readonly test: string;
  /** Message of the toast. */
  readonly done: string;
  /** Calls that revert only this action. `world`: undo restores the whole world to its state before the action. */
  readonly undo?: readonly ControlCall[] | "world";
};

/** Presets that change clock, data or settings, each with a list of its changes. All other presets contain only rules. */
export const STAGES: Readonly<Record<string, string>> = {
  "daylight-saving-edge": "clock, data",
  "leap-day": "clock, data",
  "many-pages": "clock, settings, data",
  "museum-empty": "data",
  "museum-full-week": "clock, data",
  "presale-expired": "clock, data",
  "presale-healthy": "clock, data",
  "presale-nearly-used-up": "clock, data",
  "token-about-to-expire": "clock, settings",
  unicode: "clock, data",
  "usage-not-covered": "clock, data",
};

const code = (value: unknown): string => JSON.stringify(value);

export const reset: DashboardAction = {
  route: "POST /reset",
  test: "sandbox.reset();",
  done: "World reset.",
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
  done: "Mailbox cleared.",
};
export const resetScenario: DashboardAction = {
  route: "DELETE /scenario",
  test: "await sandbox.clearScenario();",
  done: "Scenario removed.",
  undo: "world",
};

export const removeWorld = (id: string): DashboardAction => ({
  route: `DELETE /worlds/${id}`,
  test: `sandbox.worlds.remove(${code(id)});`,
  done: `World ${id} ended.`,
});
export const forkWorld = (name: string): DashboardAction => ({
  route: "POST /worlds",
  body: name === "" ? {} : { name },
  test: `const world = sandbox.fork(${name === "" ? "" : code(name)});`,
  done: "World created from this one.",
});

export function parsePresets(scenario: string): readonly string[] {
  return scenario === "default" ? [] : scenario.split(" + ");
}
/** Adds a preset to the scenario. A preset of `STAGES` also changes clock, data or settings. */
export const addPreset = (name: string): DashboardAction => ({
  route: "POST /scenario",
  body: { name },
  test: `await sandbox.addScenario(${code(name)});`,
  done: `${name} turned on.`,
  undo: Object.hasOwn(STAGES, name) ? "world" : [{ route: `DELETE /scenario/${encodePercent(name)}` }],
});
export const removePreset = (name: string): DashboardAction => ({
  route: `DELETE /scenario/${encodePercent(name)}`,
  test: `sandbox.removeScenario(${code(name)});`,
  done: `${name} turned off.`,
  ...(Object.hasOwn(STAGES, name) ? {} : { undo: [{ route: "POST /scenario", body: { name } }] }),
});

export const addRule = (rule: object): DashboardAction => ({
  route: "POST /rules",
  body: rule,
  test: `sandbox.use(${code(rule)});`,
  done: "Rule added. It applies from the next request.",
  undo: [{ route: "DELETE /rules/{id}" }],
});
const changeRule = (id: string, change: object, old: object, done: string): DashboardAction => ({
  route: `PATCH /rules/${encodePercent(id)}`,
  body: change,
  test: `sandbox.rules.update(${code(id)}, ${code(change)});`,
  done: `Rule ${id} ${done}.`,
  undo: [{ route: `PATCH /rules/${encodePercent(id)}`, body: old }],
});
export const toggleRule = (id: string, enabled: boolean) =>
  changeRule(id, { enabled }, { enabled: !enabled }, `turned ${enabled ? "on" : "off"}`);
/** Moves a rule in front of the rule `before`. `next`: the rule that follows it before the move, for the undo. */
export const moveRule = (id: string, before: string | null, next: string | null) =>
  changeRule(id, { before }, { before: next }, "moved");
export const replaceRule = (id: string, rule: object, old: object) =>
  changeRule(id, { rule }, { rule: old }, "saved");
export const removeRule = ({ id, rule, enabled }: RuleStatus, next: string | null): DashboardAction => ({
  route: `DELETE /rules/${encodePercent(id)}`,
  test: `sandbox.rules.remove(${code(id)});`,
  done: `Rule ${id} removed.`,
  undo: [
    { route: "POST /rules", body: { ...rule, id } },
    { route: `PATCH /rules/${encodePercent(id)}`, body: { before: next, enabled } },
  ],
});

type Clock = StateReport["clock"];
/** Creates an action that changes the clock. The last parameter is the clock before the change, for the undo. */
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
export const freeze = (clock: Clock) => changeClock({ mode: "frozen" }, "freeze()", "Clock frozen.", clock);
export const resume = (clock: Clock) => changeClock({ mode: "ticking" }, "resume()", "Clock resumed.", clock);
export const advance = (by: string, clock: Clock) =>
  changeClock({ by }, `advance(${code(by)})`, `Clock advanced by ${by}.`, clock);
export const setClock = (at: string, clock: Clock) =>
  changeClock({ at }, `set(${code(at)})`, `Clock set to ${at}.`, clock);

export const release = (gate: string, exchange: number): DashboardAction => ({
  route: `POST /gates/${encodePercent(gate)}/release`,
  body: { exchange },
  test: `sandbox.gates.release(${code(gate)}, ${exchange});`,
  done: `Request #${exchange} released.`,
});
export const clearThrottle = (user: string, environment: string): DashboardAction => ({
  route: `DELETE /throttle/${encodePercent(user)}?environment=${environment}`,
  test: `sandbox.auth.clearThrottle(${code(user)}, ${code(environment)});`,
  done: `${user} can log in again.`,
});
type Invoices = { readonly sent: number; readonly received: number };
export const recordUsage = (usage: Invoices): DashboardAction => ({
  route: "POST /usage",
  body: usage,
  test: `sandbox.usage.record(${code(usage)});`,
  done: `${usage.sent + usage.received} invoices recorded.`,
});
/** `known`: names of existing snapshots. The action overwrites a snapshot of the same name, and undo cannot restore it. */
export const takeSnapshot = (name: string, known: readonly string[]): DashboardAction => ({
  route: "POST /snapshots",
  body: name === "" ? {} : { name },
  test: `const before = sandbox.snapshot(${name === "" ? "" : code(name)});`,
  done: "Snapshot taken.",
  ...(known.includes(name) ? {} : { undo: [{ route: "DELETE /snapshots/{id}" }] }),
});
export const restoreSnapshot = (id: string): DashboardAction => ({
  route: `POST /snapshots/${encodePercent(id)}/restore`,
  test: `sandbox.restore(${code(id)});`,
  done: `Snapshot ${id} restored.`,
  undo: "world",
});

export function formatActionCurl({ route, body }: DashboardAction, control: string): string {
  const [method = "", path = ""] = route.split(/ (.*)/s);
  const sent = JSON.stringify(body ?? {}).replaceAll("'", "'\\''");
  return [
    `curl -X ${method} '${control}${path}'`,
    ...(method === "DELETE" ? [] : ["-H 'Content-Type: application/json'", `-d '${sent}'`]),
  ].join(" ");
}
