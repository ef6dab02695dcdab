// Owns the rules in force in one world: which of them match an exchange at a stage of its life, and what they do.

import type { Exchange } from "../operation/exchange.ts";
import type { Effect } from "./effect.ts";

export const STAGES = ["edge", "handler", "response"] as const;
export type RuleStage = (typeof STAGES)[number];

export class Rules {
  /** The effect of the first rule that answers at this stage; delays and holds have passed when it resolves. */
  async strike(_at: RuleStage, _exchange: Exchange): Promise<Effect | undefined> {
    return undefined;
  }
}
