import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../../src/connect.ts";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import { CLOCK, describeControls, type Steered } from "./controls-contract.ts";

type Server = Awaited<ReturnType<typeof createSandbox>>;

let server: Server;
let url: string;
beforeAll(async () => {
  server = await createSandbox({ clock: CLOCK, controlToken: "open sesame" });
  ({ url } = await server.listen());
});
afterAll(() => server.close());

/** Each test in a world of its own, as suites of other processes do. */
describeControls("over HTTP", async () => {
  const sandbox = await connect(url, { token: "open sesame" }).fork();
  return { sandbox: sandbox as object as Steered, end: async () => sandbox.close() };
});

test("connect accepts the base URL, the URL of the control API, and that of a world", async () => {
  server.fork("w9");
  const options = { token: "open sesame" };
  expect(connect(url, options).id).toBe("main");
  for (const address of [`${url}/~w9/_vitrine`, `${url}/~w9/_vitrine/`, `${url}/~w9`])
    expect(await connect(address, options).state()).toMatchObject({ world: "w9" });
  expect(await connect(`${url}/_vitrine`, { ...options, world: "w9" }).state()).toMatchObject({
    world: "w9",
  });
  expect(() => connect("4010")).toThrow("is not an http URL");
  expect(() => connect(`${url}/museum/v1.1`)).toThrow("is not the URL of a sandbox");
});

test("a client without the token is rejected", async () => {
  await expect(async () => connect(url).state()).rejects.toThrow("requires its token");
});

test("pages of the bound origin may use the control API, but pages of another port may not, whatever their Host", async () => {
  const ask = async (origin: string, at = url) => {
    const headers = { origin, authorization: "Bearer open sesame" };
    return (await fetch(`${at}/_vitrine/state`, { headers })).status;
  };
  const { port } = new URL(url);
  for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
    expect(await ask(`http://${host}:${port}`)).toBe(200);
    expect(await ask(`http://${host}:1${port}`.slice(0, -1))).toBe(403);
    expect(await ask(`http://${host}`)).toBe(403);
  }
  expect(await ask(url, `http://127.0.0.1:${port}`)).toBe(200);
});

test("the events of a world reach a client in another process until it disconnects", async () => {
  const world = server.fork();
  const gone = new AbortController();
  const headers = { authorization: "Bearer open sesame" };
  const response = await fetch(`${world.urls.control}/events`, { headers, signal: gone.signal });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = "";
  await world.museum.listSpecialEvents();
  while (!text.includes("\n\nevent: exchange")) text += new TextDecoder().decode((await reader.read()).value);
  expect(text).toContain('"operation":"museum.listSpecialEvents"');
  gone.abort();
  await expect(reader.read()).rejects.toThrow();
  expect((await world.museum.listSpecialEvents()).status).toBe(200);
});
