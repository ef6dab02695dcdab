/** Problems as `application/problem+json` (RFC 9457), for the sandbox itself and for services that use this format. */

export type ProblemResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export const PROBLEM_JSON = "application/problem+json";

/** Creates a response with these members. Omits undefined members. */
export function toProblemResponse(
  status: number,
  members: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): ProblemResponse {
  return {
    status,
    headers: { "content-type": PROBLEM_JSON, "x-content-type-options": "nosniff", ...headers },
    body: JSON.stringify(members),
  };
}

/** An error response of the sandbox itself, not of a simulated service. */
export function createSandboxProblem(
  status: number,
  detail: string,
  headers?: Readonly<Record<string, string>>,
): ProblemResponse {
  const title = "Rejected by the sandbox";
  return toProblemResponse(status, { type: "urn:vitrine:sandbox", title, status, detail }, headers);
}
