/** Actions of the dashboard: a call of the control API, the same in a test, its message, and how it is undone. */

import { encodePercent } from "../http/percent.ts";
import type { RuleStatus } from "../rules/rule.ts";

type ActionRoute = `${"POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;

export type DashboardAction = {
  /** As the control API has it: `POST /rules`. */
  readonly route: ActionRoute;
  readonly body?: unknown;
  /** The same in a test. */
  readonly test: string;
  /** What is so afterwards. */
  readonly done: string;
  /** By another action, or by the whole world as it was before. */
  readonly undo?: DashboardAction | "record";
};

const code = (value: unknown): string => JSON.stringify(value);

export const reset: DashboardAction = {
  route: "POST /reset",
  test: "sandbox.reset();",
  done: "The world is as it was at its start.",
  undo: "record",
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
  undo: "record",
};
export const resetScenario: DashboardAction = {
  route: "DELETE /scenario",
  test: "await sandbox.clearScenario();",
  done: "Plain again: no scenario.",
  undo: "record",
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
export const addPreset = (name: string): DashboardAction => ({
  route: "POST /scenario",
  body: { name },
  test: `await sandbox.addScenario(${code(name)});`,
  done: `${name} is on.`,
});
/** Those that stay are applied anew, over what the options gave. */
export const setPresets = (names: readonly string[], removed: string): DashboardAction => ({
  route: "PUT /scenario",
  body: ["default", ...names],
  test: `await sandbox.scenario(${code(["default", ...names])});`,
  done: `${removed} is off.`,
  undo: "record",
});

export const addRule = (rule: object): DashboardAction => ({
  route: "POST /rules",
  body: rule,
  test: `sandbox.use(${code(rule)});`,
  done: "The rule acts from the next request on.",
});
export const toggleRule = (id: string, change: { readonly enabled: boolean }): DashboardAction => ({
  route: `PATCH /rules/${encodePercent(id)}`,
  body: change,
  test: `sandbox.rules.update(${code(id)}, ${code(change)});`,
  done: `The rule ${id} is ${change.enabled ? "on" : "off"}.`,
});
export const moveRule = (id: string, before: string | null): DashboardAction => ({
  route: `PATCH /rules/${encodePercent(id)}`,
  body: { before },
  test: `sandbox.rules.update(${code(id)}, ${code({ before })});`,
  done: `The rule ${id} has moved.`,
});
export const replaceRule = (id: string, rule: object): DashboardAction => ({
  route: `PATCH /rules/${encodePercent(id)}`,
  body: { rule },
  test: `sandbox.rules.update(${code(id)}, ${code({ rule })});`,
  done: `The rule ${id} is as you wrote it.`,
});
/** One that was added at run time comes back by being added again; one of the scenario only with the world. */
export const removeRule = ({ id, rule, origin }: RuleStatus): DashboardAction => ({
  route: `DELETE /rules/${encodePercent(id)}`,
  test: `sandbox.rules.remove(${code(id)});`,
  done: `The rule ${id} is gone.`,
  undo: origin === "run time" ? addRule({ ...rule, id }) : "record",
});

export const freeze: DashboardAction = {
  route: "PUT /clock",
  body: { mode: "frozen" },
  test: "sandbox.clock.freeze();",
  done: "The clock stands still.",
};
export const resume: DashboardAction = {
  route: "PUT /clock",
  body: { mode: "ticking" },
  test: "sandbox.clock.resume();",
  done: "The clock goes on.",
};
export const advance = (by: string): DashboardAction => ({
  route: "POST /clock/advance",
  body: { by },
  test: `await sandbox.clock.advance(${code(by)});`,
  done: `The clock is ${by} later.`,
});
export const setClock = (at: string): DashboardAction => ({
  route: "PUT /clock",
  body: { at },
  test: `sandbox.clock.set(${code(at)});`,
  done: `It is ${at}.`,
});

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
export const takeSnapshot = (name: string): DashboardAction => ({
  route: "POST /snapshots",
  body: name === "" ? {} : { name },
  test: `const before = sandbox.snapshot(${name === "" ? "" : code(name)});`,
  done: "The snapshot is taken.",
});
export const restoreSnapshot = (id: string): DashboardAction => ({
  route: `POST /snapshots/${encodePercent(id)}/restore`,
  test: `sandbox.restore(${code(id)});`,
  done: `The world is as in ${id}.`,
  undo: "record",
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
