/** Operations on presales: packages of credit. Source: common-account-billing, Endpoints. */

import { defineAccountOperation, operationDefaults } from "../operation.ts";
import { buildPage, readPage } from "../paging.ts";
import { PreSale, PreSalePage, pageParameter, uuidParameter } from "../schemas.ts";
import { findOwned, listExampleEntities, listOwned, sortOldestFirst } from "../state.ts";

const group = { ...operationDefaults, tag: "Presales" } as const;

export const listPreSales = defineAccountOperation({
  ...group,
  method: "get",
  path: "/pre-sales",
  summary: "List presales",
  description: "In order of purchase. Includes expired and used-up presales.",
  request: { query: { page: pageParameter } },
  responses: { 200: PreSalePage },
  problems: ["invalidPage", "notAcceptable"],
  handle({ query, identity, state, settings, reply }) {
    const page = readPage(query.page, settings);
    if (typeof page === "object") return page;
    const preSales = listOwned(identity, state.preSales, sortOldestFirst);
    return reply(200, buildPage(preSales, page, settings.pageSize));
  },
  example: (state) => ({
    query: { page: "1" },
    reply: buildPage(sortOldestFirst(listExampleEntities(state, state.preSales)), 1n, 30),
  }),
});

export const getPreSale = defineAccountOperation({
  ...group,
  method: "get",
  path: "/pre-sales/{uuid}",
  summary: "Get a presale",
  description: "One package, with its remaining credit.",
  request: { params: { uuid: uuidParameter } },
  responses: { 200: PreSale },
  problems: ["preSaleNotFound", "notAcceptable"],
  resource: ({ params: { uuid }, identity, state, fail }) =>
    findOwned(identity, state.preSales, uuid) ?? fail("preSaleNotFound"),
  handle: ({ resource, reply }) => reply(200, resource),
  example(state) {
    const [first] = listExampleEntities(state, state.preSales);
    return { params: { uuid: first?.uuid ?? "" }, reply: first };
  },
});
