// An agent with `vitrine mcp`: whole stories with the client of the official SDK, and messages that are no requests.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import { BIN, runBin } from "./bin.ts";

test("an agent makes a world, provokes an error, and finds the near miss of a failed verification", async () => {
  const transport = new StdioClientTransport({ command: process.execPath, args: [BIN, "mcp"] });
  const client = new Client({ name: "an agent", version: "1" });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string, given: Readonly<Record<string, unknown>> = {}): Promise<string> => {
    const { content, isError } = await client.callTool({ name, arguments: given });
    const [{ text }] = content as [{ text: string }];
    return isError === true ? `Error: ${text}` : text;
  };
  expect(client.getInstructions()).toContain("ada@example.test");
  const { tools } = await client.listTools();
  expect(JSON.stringify(tools).length).toBeLessThanOrEqual(20_000);
  const schema = tools.find(({ name }) => name === "setClock")?.inputSchema;
  expect(Object.keys(schema?.properties ?? {})).toEqual(["at", "mode", "rebase", "world"]);

  const world = "story";
  const { urls } = JSON.parse(await call("createWorld", { name: world }));
  await call("putScenario", { name: "museum-empty", world });
  const when = { operation: "museum.createSpecialEvent" };
  await call("addRule", { id: "once", when, then: { problem: "invalidInput" }, limit: { times: 1 }, world });

  // The client under test: it gets an error, does not retry, and lists.
  const headers = { authorization: "Basic Z3VpZGU6c2VjcmV0", "content-type": "application/json" };
  const body = '{"name":"A","location":"B","eventDescription":"C","dates":["2099-03-31"],"price":1}';
  await fetch(`${urls.museum}/special-events`, { method: "POST", headers, body });
  const listed = await call("request", { path: "/museum/v1.1/special-events", headers, world });
  expect(listed).toMatch(/^200\n.*\ncontent-type: application\/json\n.*\n\n\[\]$/s);

  const verdict = JSON.parse(await call("verifyExpectation", { ...when, status: 201, times: 1, world }));
  expect(verdict).toMatchObject({ ok: false, found: 0, nearest: [{ seq: 1 }] });
  expect(verdict.nearest[0].differs.join()).toMatch(/status.*400/);
  expect(await call("listExchanges", { status: 400, world })).toMatch(/^#1 .* 400 · .* rule once\n$/);
  await call("addRule", { then: { fault: "reset" }, world });
  expect(await call("request", { path: "/museum/v1.1", world })).toBe("Error: fetch failed ECONNRESET");

  expect(await call("listExchange")).toMatch(/^Error: Unknown tool .* Did you mean "listExchanges"\?/);
  expect(await call("advanceClock", { buy: "1h" })).toMatch(/^Error: .* Did you mean "by"\?/);
  expect(await call("listExchanges", { staus: 404 })).toMatch(/^Error: .* Did you mean "status"\?/);
  expect(await call("addRule", { when: { operation: "museum.listEvents" } })).toMatch(/Did you mean "museum/);
  expect(await call("getState", { world: "none" })).toMatch(/^Error: No world "none"\. Create it/);

  await call("deleteWorld", { id: world });
  const { pid } = transport;
  await client.close();
  expect(() => process.kill(pid ?? 0, 0)).toThrow("ESRCH");
});

test("each request gets its reply, also after the end of the input, and other messages get none", async () => {
  await using sandbox = await createSandbox();
  const { child, output, ended } = runBin(["mcp", "--url", (await sandbox.listen()).url]);
  child.stdin?.write('{"id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05"}}\n');
  child.stdin?.write(
    '{"method":"notifications/initialized"}\n{"id":2,"method":"ping"}\n{"id":3,"result":{}}\n',
  );
  child.stdin?.write('{"id":4,"method":"resources/list"}\n{"id"\n');
  child.stdin?.end(
    '{"id":5,"method":"tools/call","params":{"name":"createWorld","arguments":{"name":"a"}}}\n',
  );
  expect(await ended).toBe(0);
  expect(output.out.match(/\n/g)).toHaveLength(5);
  expect(output.out).toContain('"id":1,"result":{"protocolVersion":"2024-11-05"');
  expect(output.out).toContain('"id":2,"result":{}');
  expect(output.out).toContain('"id":4,"error":{"code":-32601');
  expect(output.out).toContain('"id":null,"error":{"code":-32700');
  expect(output.out).toContain('"id":5,"result":{"content":[{"type":"text","text":"{\\"id\\":\\"a\\"');
  expect(sandbox.worlds.get("a").id).toBe("a");
});
