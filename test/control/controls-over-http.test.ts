import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../../src/connect.ts";
import { createSandbox } from "../../src/vitrine.ts";
import { CLOCK, describeControls } from "./controls-contract.ts";

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
  return { sandbox, end: async () => sandbox.close() };
});

test("connecting takes the address, that of the control API, and that of a world", async () => {
  server.fork("w9");
  const options = { token: "open sesame" };
  expect(connect(url, options).id).toBe("main");
  for (const address of [`${url}/~w9/_vitrine`, `${url}/~w9/_vitrine/`, `${url}/~w9`])
    expect(await connect(address, options).state()).toMatchObject({ world: "w9" });
  expect(await connect(`${url}/_vitrine`, { ...options, world: "w9" }).state()).toMatchObject({
    world: "w9",
  });
  expect(() => connect("4010")).toThrow("is not an http URL");
  expect(() => connect(`${url}/museum/v1.1`)).toThrow("neither the address");
});

test("without the token nothing is told", async () => {
  await expect(async () => connect(url).state()).rejects.toThrow("asks for its token");
});
