/** A token of the control API that nobody can guess, for a server that hands it to its own clients. */

import { randomUUID } from "node:crypto";

export function newControlToken(): string {
  return randomUUID();
}
