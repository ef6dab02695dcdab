// Bare node:http sending fixed bytes: the floor under everything.

import { createServer } from "node:http";
import { COLLECTION, EVENT, EVENTS, ready } from "./values.mjs";

const texts = {
  one: JSON.stringify(EVENT),
  list: JSON.stringify(EVENTS),
  linked: JSON.stringify(COLLECTION),
};
const head = { "content-type": "application/json" };

const server = createServer((request, response) => {
  const { method, url = "" } = request;
  if (method === "POST") {
    request.resume();
    request.on("end", () => response.writeHead(201, head).end(texts.one));
  } else if (url.startsWith("/account")) response.writeHead(200, head).end(texts.linked);
  else response.writeHead(200, head).end(url.includes("?") ? texts.list : texts.one);
});
server.listen(0, () => ready(/** @type {import("node:net").AddressInfo} */ (server.address()).port));
