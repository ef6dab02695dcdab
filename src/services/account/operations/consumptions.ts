/** Operations on consumptions. Source: common-account-billing, Endpoints. */

import { defineAccountOperation, operationDefaults } from "../operation.ts";
import { buildPage, readIntegers, readPage } from "../paging.ts";
import { Consumption, ConsumptionPage, filterParameters, pageParameter, uuidParameter } from "../schemas.ts";
import { findOwned, listExampleEntities, listOwned, sortLatestFirst } from "../state.ts";

const group = { ...operationDefaults, tag: "Consumptions" } as const;

export const listConsumptions = defineAccountOperation({
  ...group,
  method: "get",
  path: "/consumptions",
  summary: "List consumptions",
  description: "Usage by year and month not covered by a presale package, the latest month first.",
  request: { query: { page: pageParameter, ...filterParameters } },
  responses: { 200: ConsumptionPage },
  problems: ["invalidPage", "invalidFilter", "notAcceptable"],
  handle({ query, identity, state, settings, reply, fail }) {
    const page = readPage(query.page, settings);
    if (typeof page === "object") return page;
    const years = readIntegers(query.year);
    const months = readIntegers(query.month);
    const invalid = [
      ...(query.year !== undefined && years === undefined ? ["year"] : []),
      ...(query.month !== undefined && months === undefined ? ["month"] : []),
    ];
    if (invalid.length > 0 && settings.badFilter === "refuse")
      return fail("invalidFilter", { title: `${invalid.join(" and ")} must be whole numbers.` });
    const owned = listOwned(identity, state.consumptions, sortLatestFirst);
    const isWanted = ({ year, month }: Consumption): boolean =>
      (years?.includes(year) ?? true) && (months?.includes(month) ?? true);
    const matching = years === undefined && months === undefined ? owned : owned.filter(isWanted);
    return reply(200, buildPage(matching, page, settings.pageSize));
  },
  example(state) {
    const [first] = listExampleEntities(state, state.consumptions);
    const query = { page: "1", ...(first && { year: String(first.year), month: String(first.month) }) };
    return { query, reply: buildPage(first === undefined ? [] : [first], 1n, 30) };
  },
});

export const getConsumption = defineAccountOperation({
  ...group,
  method: "get",
  path: "/consumptions/{uuid}",
  summary: "Get a consumption",
  description: "The usage of one month.",
  request: { params: { uuid: uuidParameter } },
  responses: { 200: Consumption },
  problems: ["consumptionNotFound", "notAcceptable"],
  resource: ({ params: { uuid }, identity, state, fail }) =>
    findOwned(identity, state.consumptions, uuid) ?? fail("consumptionNotFound"),
  handle: ({ resource, reply }) => reply(200, resource),
  example(state) {
    const [first] = listExampleEntities(state, state.consumptions);
    return { params: { uuid: first?.uuid ?? "" }, reply: first };
  },
});
