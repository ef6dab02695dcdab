// Owns who asks for the example answers of the OpenAPI document: the first user of the base data, for short pages.

import { type Answers, exampleAnswers } from "../../../operation/example-answers.ts";
import type { ServiceDocument } from "../../../operation/service.ts";
import type { AccountState } from "../state.ts";
import { settingsOf } from "./speech.ts";

/** Enough to show what a page is. */
const PAGE_SIZE = 2;

export function firstUserAnswers({ service, state, speech }: Parameters<ServiceDocument>[0]): Answers {
  // The sandbox hands each service's documents the state that the service made.
  const { world, environment } = state as AccountState;
  const [identity] = world.identities.of(environment).all();
  const settings = { ...settingsOf(speech), pageSize: PAGE_SIZE };
  return identity === undefined
    ? {}
    : exampleAnswers(service, { state, identity, speech: { ...speech, settings } });
}
