/** `vitrine mcp`: offers tools to agents over the Model Context Protocol (MCP): JSON-RPC 2.0, one message per line. */

import { connect } from "../connect.ts";
import { callTool, listTools, readAnswer, type Send } from "../control/tools.ts";
import { toJsonLine } from "../errors/line.ts";
import { createSandbox } from "../open/create-sandbox.ts";
import type { HeaderInput } from "../operation/client.ts";
import { CONTROL_BASE } from "../pipeline/guard.ts";
import { library } from "../runtimes/node/library.ts";
import { defineCommand } from "./command.ts";

/** Supported versions of MCP, newest first. */
const VERSIONS = ["2025-06-18", "2024-11-05"];
/** Timeout of one tool call in ms, because a rule may make the request of the call hang. */
const CALL_MS = 30_000;
/** Time in ms that open tool calls have after the input ends. Then they are aborted. */
const GRACE_MS = 1_000;

export const mcp = defineCommand({
  name: "mcp",
  summary: "give an agent tools for a sandbox: MCP over standard input and output",
  flags: {
    url: { value: "URL", about: "the sandbox (default: a new one that ends with standard input)" },
  },
  async run({ flags, io }) {
    const token = io.env["VITRINE_CONTROL_TOKEN"] || undefined;
    await using sandbox = flags.url === undefined ? await createSandbox({ controlToken: token }) : undefined;
    const url = flags.url ?? (await sandbox?.listen())?.url ?? "";
    await connect(url, { token }).state(); // Rejects if the URL is wrong.
    const ended = new AbortController();
    const send: Send = async (world, path, init) => {
      const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(CALL_MS)]);
      return connect(url, { world }).fetch(path.replace(/^\/?/, "/"), { ...init, signal });
    };
    const headers = { ...(token !== undefined && { authorization: `Bearer ${token}` }) };
    const instructions = await readAnswer(await send(undefined, `${CONTROL_BASE}/llms.txt`, { headers }));
    const respond = async (line: string): Promise<void> => {
      const reply = await answer(line, send, headers, instructions).catch(({ message }: Error) => ({
        id: null,
        error: { code: -32_700, message },
      }));
      if (reply !== undefined) io.out(toJsonLine({ jsonrpc: "2.0", ...reply }));
    };
    const responses: Promise<void>[] = [];
    let rest = "";
    for await (const part of io.input()) {
      const lines = (rest + part).split("\n");
      rest = lines.pop() ?? "";
      responses.push(...lines.map(respond));
    }
    setTimeout(() => ended.abort(), GRACE_MS).unref();
    await Promise.all(responses);
    return 0;
  },
});

/** Returns the reply to a JSON-RPC request, and undefined for other messages. Rejects if the line is not JSON. */
async function answer(line: string, send: Send, headers: HeaderInput, instructions: string) {
  const { id, method, params = {} } = Object(JSON.parse(line));
  if (id === undefined || method === undefined) return undefined;
  switch (method) {
    case "initialize": {
      const protocolVersion = VERSIONS[Math.max(VERSIONS.indexOf(params.protocolVersion), 0)];
      const serverInfo = { name: "vitrine", version: library.version() };
      return { id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo, instructions } };
    }
    case "ping":
      return { id, result: {} };
    case "tools/list":
      return { id, result: { tools: listTools() } };
    case "tools/call":
      return callTool(String(params.name), Object(params.arguments), send, headers).then(
        (text) => ({ id, result: toResult(text, false) }),
        ({ message, cause }) => ({ id, result: toResult(`${message} ${cause?.code ?? ""}`.trim(), true) }),
      );
    default:
      return { id, error: { code: -32_601, message: `Unknown method ${method}.` } };
  }
}

function toResult(text: string, isError: boolean) {
  return { content: [{ type: "text", text }], isError };
}
