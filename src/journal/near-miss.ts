/** Finds the operations nearest to an unmatched request: corrects common errors in its path, then compares path segments. */

import { distance } from "fastest-levenshtein";
import { listOperations, type Service, type ServiceEnvironment } from "../operation/service.ts";
import { findWorld, splitWorld } from "../world/world-name.ts";

/** `path` includes the world prefix. `under` is the path under which another app mounts the sandbox. */
export type UnmatchedRequest = { readonly method: string; readonly path: string; readonly under?: string };

/** A service and the base path of one environment: `/museum/v1.1`, or on a separate port `/v1.1` or empty. */
export type Mount = { readonly service: Service; readonly base: string };

export type NearestOperation = {
  /** Full name, such as `museum.listSpecialEvents`. */
  readonly operation: string;
  /** One line of printable ASCII, at most 300 characters. */
  readonly message: string;
};

type Candidate = { readonly name: string; readonly method: string; readonly template: string };
type Repair = { readonly path: string; readonly why: string };

export const NEAR_MISS_HEADER = "x-vitrine-near-miss";

const MAX_MESSAGE_CHARS = 300;
const MAX_SUGGESTIONS = 3;

/** Lists the mounts on the port of a request: only one environment on a separate port, otherwise all environments. */
export function listMounts(
  services: readonly Service[],
  { service, environment, base }: ServiceEnvironment & { readonly base: string },
): Mount[] {
  if (!base.endsWith(environment.base))
    return [{ service, base: base.slice(splitWorld(base).prefix.length) }];
  return services
    .filter(({ observed }) => observed)
    .flatMap((each) => each.environments.map(({ base }) => ({ service: each, base })));
}

/** Returns the path under which another app mounts the sandbox, or "". It precedes the world prefix and the base path. */
export function findPrefix({ environment, base }: ServiceEnvironment & { readonly base: string }): string {
  if (!base.endsWith(environment.base)) return "";
  const before = base.slice(0, base.length - environment.base.length);
  return before.slice(0, findWorld(before)?.index ?? before.length);
}

export function findNearMisses(
  mounts: readonly Mount[],
  { method, path, under = "" }: UnmatchedRequest,
): readonly NearestOperation[] {
  const { prefix: world, rest: own } = splitWorld(path);
  const prefix = under + world;
  const candidates = listCandidates(mounts);
  const wanted = method === "HEAD" ? "GET" : method;
  const found = new Map<string, NearestOperation>();
  const note = (candidate: Candidate, at: string, why: readonly string[]): void => {
    if (found.size < MAX_SUGGESTIONS && !found.has(candidate.name))
      found.set(candidate.name, buildSuggestion(candidate, at, why));
  };
  for (const repair of generateRepairs(own, mounts)) {
    const fitting = candidates.filter(({ template }) => matchesTemplate(template, repair.path));
    const sameMethod = fitting.filter((candidate) => candidate.method === wanted);
    for (const candidate of sameMethod) note(candidate, prefix + repair.path, [repair.why]);
    if (repair.path !== own || sameMethod.length > 0) continue;
    const offered = fitting.map((candidate) => candidate.method).join(", ");
    const why = `the method differs: ${method} was sent, this path accepts ${offered}`;
    for (const candidate of fitting) note(candidate, own, [why]);
  }
  for (const { candidate, why } of findBySegments(own, wanted, candidates)) {
    const methodDiffers = candidate.method === wanted ? [] : [`the method differs: ${method} was sent`];
    note(candidate, prefix + candidate.template, [why, ...methodDiffers]);
  }
  return [...found.values()];
}

function listCandidates(mounts: readonly Mount[]): Candidate[] {
  return mounts.flatMap(({ service, base }) =>
    listOperations([service]).map(({ name, operation }) => ({
      name,
      method: operation.method.toUpperCase(),
      template: base + operation.path,
    })),
  );
}

/** Yields the path unchanged, then one variant for each client error that it may contain. */
function* generateRepairs(path: string, mounts: readonly Mount[]): Generator<Repair> {
  yield { path, why: "" };
  if (path.endsWith("/")) yield { path: path.replace(/\/+$/, ""), why: "there is a trailing slash" };
  if (/\/\/+/.test(path)) yield { path: path.replace(/\/\/+/g, "/"), why: "a slash is doubled" };
  const lower = path.toLowerCase();
  if (lower !== path) yield { path: lower, why: "upper and lower case differ" };
  const bases = mounts.map(({ base }) => base).filter((base) => base !== "");
  for (const base of bases) {
    if (path.startsWith(`${base}${base}/`))
      yield { path: path.slice(base.length), why: `the base path ${base} is repeated` };
    yield { path: base + path, why: `the base path ${base} is missing` };
    const other = bases.find((candidate) => candidate !== base && path.startsWith(`${candidate}/`));
    if (other !== undefined)
      yield { path: base + path.slice(other.length), why: `the base path is ${base}, not ${other}` };
  }
}

/** Finds operations whose path differs in at most one segment, which may be missing or extra. The most similar are first. */
function findBySegments(path: string, method: string, candidates: readonly Candidate[]) {
  const sent = path.split("/").slice(1);
  return candidates
    .map((candidate) => ({ candidate, ...compareSegments(sent, candidate.template.split("/").slice(1)) }))
    .filter(({ cost }) => cost <= 0.8)
    .sort(
      (left, right) =>
        left.cost - right.cost ||
        Number(left.candidate.method !== method) - Number(right.candidate.method !== method),
    );
}

/** Returns the difference as `cost`. 0: equal; up to 1: one segment differs, is missing or is extra; above 1: not near. */
function compareSegments(sent: readonly string[], template: readonly string[]) {
  if (sent.length === template.length) {
    const differing = template.flatMap((part, at) => (isSameSegment(part, sent[at] ?? "") ? [] : [at]));
    const [at] = differing;
    if (at === undefined || differing.length > 1) return { cost: differing.length, why: "" };
    const [was = "", should = ""] = [sent[at], template[at]];
    const cost = distance(was.toLowerCase(), should.toLowerCase()) / Math.max(was.length, should.length, 1);
    return { cost, why: `one path segment differs: ${was}, not ${should}` };
  }
  const [longer, shorter] = sent.length > template.length ? [sent, template] : [template, sent];
  if (longer.length !== shorter.length + 1) return { cost: 2, why: "" };
  const gaps = longer.filter((_part, gap) =>
    longer.toSpliced(gap, 1).every((part, index) => {
      const other = shorter[index] ?? "";
      return isSameSegment(part, other) || isSameSegment(other, part);
    }),
  );
  // If several segments could be missing, chooses a parameter: clients forget an id more often than a fixed segment.
  const missing = gaps.find((part) => part.startsWith("{")) ?? gaps[0];
  if (missing === undefined) return { cost: 2, why: "" };
  const why = `one path segment ${longer === sent ? "is unexpected" : "is missing"}: ${missing}`;
  return { cost: missing.startsWith("{") ? 0.5 : 0.7, why };
}

function matchesTemplate(template: string, path: string): boolean {
  const sent = path.split("/");
  const parts = template.split("/");
  return sent.length === parts.length && parts.every((part, index) => isSameSegment(part, sent[index] ?? ""));
}

function isSameSegment(part: string, sent: string): boolean {
  return part.startsWith("{") ? sent !== "" : part === sent;
}

function buildSuggestion({ name, method }: Candidate, path: string, why: readonly string[]) {
  const message = `Nearest: ${name}, ${method} ${path}; ${why.filter((reason) => reason !== "").join("; ")}`;
  // Replaces all but printable ASCII, so that headers and log lines stay valid.
  return { operation: name, message: message.replace(/[^\x20-\x7e]/g, "?").slice(0, MAX_MESSAGE_CHARS) };
}
