/** The public API of vitrine, and the only barrel file. */

export { type ConnectOptions, connect } from "./connect.ts";
export { createSandbox, Sandbox } from "./create-sandbox.ts";
export type { Auth, Authorization, Login } from "./credentials.ts";
export type { Capsule } from "./journal/capsule.ts";
export type { CoverageData } from "./journal/coverage.ts";
export { describeExchange } from "./journal/describe-exchange.ts";
export type { Har } from "./journal/har.ts";
export type { RecordedExchange } from "./journal/recorded-exchange.ts";
export type { SandboxReport, Verification } from "./journal/verify.ts";
export type { LintFinding } from "./linter/lint.ts";
export type { Listening } from "./live-sandbox.ts";
export type { OperationName, ProblemOf, StatusOf } from "./operation-names.ts";
export type { OpenOptions as ListenOptions } from "./places/server.ts";
export type { WorldRecord } from "./sandbox/record.ts";
export type { Controls, RemoteSandbox } from "./sandbox-verbs.ts";
export type { Client, ClientReply } from "./typed-client.ts";
export type { Expectation, Matcher, RuleInput, TypedRule } from "./typed-rule.ts";
export {
  defineRule,
  defineScenario,
  documentedOutcomes,
  type GivenScenario,
  replyMutations,
  type ScenarioInput,
} from "./typed-scenario.ts";
export type { SandboxOptions } from "./vitrine.ts";
export type { Message, MessageFilter } from "./world/mailbox.ts";
export type { Duration } from "./world/time.ts";
export { type UsageCode, UsageError } from "./world/usage-error.ts";
