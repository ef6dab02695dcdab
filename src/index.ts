/** The public API of vitrine in Node. */

import {
  createSandbox as create,
  Sandbox as NodeSandbox,
  type SandboxOptions,
} from "./open/create-sandbox.ts";
import type { Sandbox as PublicSandbox } from "./open/sandbox-methods.ts";
import type { WorldRecord } from "./sandbox/record.ts";

export { type ConnectOptions, connect } from "./connect.ts";
export { type UsageCode, UsageError } from "./errors/usage-error.ts";
export type { Capsule } from "./journal/capsule.ts";
export type { CoverageData } from "./journal/coverage.ts";
export { describeExchange } from "./journal/describe-capsule.ts";
export type { Har } from "./journal/har.ts";
export type { RecordedExchange } from "./journal/recorded-exchange.ts";
export type { SandboxReport, Verification } from "./journal/verify.ts";
export type { LintFinding } from "./linter/lint.ts";
export type { Listening } from "./open/live-sandbox.ts";
export type { Client, ClientReply, OperationName, ProblemOf, StatusOf } from "./open/operation-names.ts";
export type { Controls, RemoteSandbox } from "./open/sandbox-methods.ts";
export type { Expectation, Matcher, RuleInput, TypedRule } from "./open/typed-rule.ts";
export {
  defineRule,
  defineScenario,
  documentedOutcomes,
  type GivenScenario,
  replyMutations,
  type ScenarioInput,
} from "./open/typed-scenario.ts";
export type { ListenOptions } from "./server/server.ts";
export type { Auth, Authorization, Login } from "./services/credentials.ts";
export type { Message, MessageFilter } from "./world/mailbox.ts";
export type { Duration } from "./world/time.ts";
export type { SandboxOptions, WorldRecord };

/** Creates a sandbox with both services and their base data. It opens no port before `listen` is called. */
export const createSandbox: (options?: SandboxOptions) => Promise<Sandbox> = create;

export type Sandbox = PublicSandbox;

/** `Sandbox.from(record)` creates a sandbox with the state that `sandbox.record()` returned. */
export const Sandbox: {
  readonly from: (record: WorldRecord, options?: SandboxOptions) => Promise<Sandbox>;
} = NodeSandbox;
