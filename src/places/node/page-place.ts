/**
 * A page that a test runner plays in Node, where `vitrine/browser` is required and not imported: it refuses what a page does,
 * and gives the same bytes with what Node has anyway.
 */

import { openScenarioOfPage, type Place } from "../place.ts";
import { nodePlace } from "./place.ts";

export const webPlace: Place = {
  ...nodePlace,
  openScenario: openScenarioOfPage,
  sockets: undefined,
  state: undefined,
  mail: undefined,
};
