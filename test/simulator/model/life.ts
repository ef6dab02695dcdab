// A request as the model sees it, and its life: who calls, what is asked, what a rule does meanwhile, what is answered. Each
// part of it is a function of the moment, so that parts of several requests can be tried in any order.

import type { EnvironmentKey, OperationName } from "../operations.ts";
import type { Moment } from "./moment.ts";
import { type Answer, applyRules, type Suppressed } from "./rules.ts";

/** A request in full, as it is sent. */
export type Asked = {
  readonly world: string;
  readonly environment: EnvironmentKey;
  readonly operation: OperationName;
  readonly client: number;
  readonly method: string;
  /** Within the service. */
  readonly path: string;
  readonly id: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** The body as sent, and what it says; undefined: it is no JSON. */
  readonly text: string | undefined;
  readonly value: unknown;
  readonly media: string | null;
  readonly slow: boolean;
  readonly respond: string | undefined;
};

/** What an answer must be. */
export type Expected = {
  readonly status: number;
  /** The key of the problem that is answered. */
  readonly problem?: string;
  /** Members of the body of an answer in plain JSON; all of them, unless it is a refusal. */
  readonly body?: unknown;
  /** The body in JSON-LD: of a list, the members of the page and how many there are in all. */
  readonly list?: { readonly items: readonly unknown[]; readonly total: number };
  readonly headers?: Readonly<Record<string, string>>;
  /** Names of fields that the refusal must mention. */
  readonly fields?: readonly string[];
  /** A login's answer is a token with these claims. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** The answer is lost. */
  readonly fault?: string;
  /** A rule took part, so the same request again may be answered otherwise. */
  readonly ruled?: boolean;
};

/** What the service makes of a request once nothing stands in its way any more. */
export type Worked = { readonly moment: Moment; readonly expected: Expected };
/**
 * Reads from the sandbox what no model can know: the first entity of a collection that is not among the known ones. It
 * is the `nth` of its series.
 */
export type Learn = (
  collection: string,
  known: readonly string[],
  nth: number,
) => Readonly<Record<string, unknown>>;

/** What the model knows of one service. */
export type Service = {
  /** The name of the caller, or why it is refused. */
  readonly caller: (moment: Moment, asked: Asked, at: number) => { readonly user: string } | Expected;
  /** What is wrong before the body is read. */
  readonly early: (moment: Moment, asked: Asked, user: string, at: number) => Expected | undefined;
  /** What is wrong with the body. */
  readonly late: (moment: Moment, asked: Asked, user: string, at: number) => Expected | undefined;
  readonly work: (moment: Moment, asked: Asked, user: string, at: number, learn: Learn) => Worked;
  readonly refusal: (moment: Moment, asked: Asked, problem: string) => Expected;
};

/** Where a request stands: at its end, or waiting for its body, for its turn, or at a gate. */
export type Next =
  | { readonly moment: Moment; readonly expected: Expected }
  | {
      readonly moment: Moment;
      readonly waits: "body" | "turn" | { readonly gate: string };
      readonly resume: (moment: Moment, learn: Learn) => Next;
      /** At a gate: its world was reset, restored or ended. */
      readonly cancel: (moment: Moment) => Next;
    };

/** What does not change in a request's life, and what rules have done to it. */
type Life = {
  readonly asked: Asked;
  readonly service: Service;
  /** The instant of the whole exchange. */
  readonly at: number;
  /** Those of that instant hold for all of it. */
  readonly settings: Moment["settings"];
  readonly user: string | undefined;
  readonly suppressed: Suppressed;
  readonly ruled: boolean;
};

/** Begins the life of a request: up to its end, or to where it first waits. */
export function open(moment: Moment, asked: Asked, service: Service, learn: Learn): Next {
  const { now: at, settings } = moment;
  const born: Life = { asked, service, at, settings, user: undefined, suppressed: "none", ruled: false };
  const { life, applied } = ruled(moment, "edge", born);
  const enter = (later: Moment, then: Learn): Next =>
    applied.effect === undefined
      ? authenticate(later, life, then)
      : end(later, life, answerOf(applied.effect, NOTHING, later, life));
  return advance(applied.advances, applied.moment, enter, learn);
}

/** Each move of the clock ends its turn, and others see the time between two. */
function advance(
  [ms, ...others]: readonly number[],
  moment: Moment,
  enter: (moment: Moment, learn: Learn) => Next,
  learn: Learn,
): Next {
  if (ms === undefined) return enter(moment, learn);
  const moved = { ...moment, now: moment.now + ms };
  return waiting(moved, "turn", (later, then) => advance(others, later, enter, then));
}

/** At the edge and at the handler there is no answer yet that could be lost. */
const NOTHING: Expected = { status: 200 };

function authenticate(moment: Moment, life: Life, learn: Learn): Next {
  const { service, asked, at } = life;
  const caller = service.caller(seen(moment, life), asked, at);
  if ("status" in caller) return refuse(moment, life, caller);
  const known = { ...life, user: caller.user };
  const early = service.early(seen(moment, life), asked, caller.user, at);
  if (early !== undefined) return refuse(moment, known, early);
  const read = (later: Moment, then: Learn): Next => handle(later, known, then);
  return isSlow(asked) ? waiting(moment, "body", read) : read(moment, learn);
}

/** The moment as a request sees it. */
function seen(moment: Moment, { settings }: Life): Moment {
  return { ...moment, settings };
}

/** Whether the body arrives late. The sandbox also reads bodies of other types, for the journal. */
function isSlow({ slow, text }: Asked): boolean {
  return slow && text !== undefined;
}

function handle(moment: Moment, life: Life, learn: Learn): Next {
  const { service, asked, user = "", at } = life;
  const late = service.late(seen(moment, life), asked, user, at);
  if (late !== undefined || asked.respond !== undefined) return refuse(moment, life, late ?? NOTHING);
  const { life: lived, applied } = ruled(moment, "handler", life);
  const { effect, gates } = applied;
  const work = (later: Moment, then: Learn): Next => {
    if (effect !== undefined) return end(later, lived, answerOf(effect, NOTHING, later, lived));
    // While it waited, what its path names may have gone.
    const gone =
      gates.length > 0 || isSlow(asked) ? service.early(seen(later, life), asked, user, at) : undefined;
    if (gone !== undefined) return end(later, lived, gone);
    const worked = service.work(seen(later, life), asked, user, at, then);
    return end({ ...worked.moment, settings: later.settings }, lived, worked.expected);
  };
  return pass(gates, applied.moment, lived, work, learn);
}

/** What the request prefers comes before its own errors. */
function refuse(moment: Moment, life: Life, due: Expected): Next {
  const { service, asked } = life;
  if (asked.respond === undefined) return end(moment, life, due);
  const answered: Life = { ...life, suppressed: "all", ruled: true };
  return end(moment, answered, service.refusal(seen(moment, life), asked, asked.respond));
}

/** Through one gate after another. */
function pass(
  [gate, ...others]: readonly string[],
  moment: Moment,
  life: Life,
  work: (moment: Moment, learn: Learn) => Next,
  learn: Learn,
): Next {
  if (gate === undefined) return work(moment, learn);
  return waiting(moment, { gate }, (later, then) => pass(others, later, life, work, then), life);
}

/** The answer is due: the rules that act on it come last. */
function end(moment: Moment, life: Life, due: Expected): Next {
  const { life: lived, applied } = ruled(moment, "response", life);
  const { effect } = applied;
  const expected = effect === undefined ? due : answerOf(effect, due, applied.moment, lived);
  return { moment: applied.moment, expected: { ...expected, ruled: lived.ruled } };
}

function waiting(
  moment: Moment,
  waits: "body" | "turn" | { readonly gate: string },
  resume: (moment: Moment, learn: Learn) => Next,
  life?: Life,
): Next {
  const cancel = (later: Moment): Next => ({
    moment: later,
    expected: { status: 503, ruled: life !== undefined },
  });
  return { moment, waits, resume, cancel };
}

function ruled(moment: Moment, stage: "edge" | "handler" | "response", life: Life) {
  const { asked, user, at } = life;
  const applied = applyRules(moment, stage, { asked, user, at }, life.suppressed);
  const { suppressed, matched } = applied;
  return { applied, life: { ...life, suppressed, ruled: life.ruled || matched } };
}

function answerOf(effect: Answer, due: Expected, moment: Moment, life: Life): Expected {
  if ("problem" in effect) return life.service.refusal(seen(moment, life), life.asked, effect.problem);
  if ("fault" in effect) return { ...due, fault: effect.fault };
  return { status: effect.respond.status, body: effect.respond.body };
}
