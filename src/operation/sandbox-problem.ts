/** Answers of the sandbox itself, not of a simulated service: problem+json with `type`, `title` and `detail`. */

export const SANDBOX_PROBLEM_HEADERS = {
  "content-type": "application/problem+json",
  "x-content-type-options": "nosniff",
} as const;

/** A member that is undefined is left out when it is written as JSON. */
export type SandboxProblem = {
  readonly type: string;
  readonly title: string;
  readonly status: number | undefined;
  readonly detail: string | undefined;
  /** The number of the exchange that has the details. */
  readonly exchange: number | undefined;
};

export function sandboxProblem({
  type = "urn:vitrine:sandbox",
  title = "Refused by the sandbox",
  status,
  detail,
  exchange,
}: Partial<SandboxProblem>): SandboxProblem {
  return { type, title, status, detail, exchange };
}
