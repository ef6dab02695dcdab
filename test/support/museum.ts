// One request to the museum as a client writes it; what it keeps.

import { museum } from "../../src/services/museum/index.ts";
import { type Answer, type Question, request } from "./request.ts";
import type { TestSandbox } from "./test.ts";

export const MUSEUM = "/museum/v1.1";

/** `GET /special-events?page=2`; without other headers it is Ada who asks. */
export function ask(
  sandbox: Pick<TestSandbox, "fetch" | "auth">,
  line: string,
  question: Question = {},
): Promise<Answer> {
  return request(sandbox, MUSEUM, line, sandbox.auth.basic("ada", "secret"), question);
}

/** What the museum keeps, to look at and to set. */
export function museumData(sandbox: TestSandbox) {
  const [environment] = museum.environments;
  if (environment === undefined) throw new Error("The museum has no environment.");
  return {
    specialEvents: sandbox.core.collection(museum, environment, "specialEvents"),
    tickets: sandbox.core.collection(museum, environment, "tickets"),
  };
}
