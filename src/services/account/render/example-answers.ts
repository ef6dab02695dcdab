// Owns who asks for the example answers of the OpenAPI document: the first user of the base data, for short pages.

import { type Answers, exampleAnswers } from "../../../operation/example-answers.ts";
import type { ServiceDocument } from "../../../operation/service.ts";
import type { AccountState } from "../state.ts";
import { settingsOf } from "./speech.ts";

type Call = Parameters<ServiceDocument>[0];

/** Enough to show what a page is. */
const PAGE_SIZE = 2;

export function firstUserAnswers({ service, speech }: Call, state: AccountState): Answers {
  const [identity] = state.world.identities.of(state.environment).all();
  const settings = { ...settingsOf(speech), pageSize: PAGE_SIZE };
  return identity === undefined
    ? {}
    : exampleAnswers(service, { state, identity, speech: { ...speech, settings } });
}
