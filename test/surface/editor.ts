/** What an editor shows and completes: asks the language server that comes with the compiler. */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

type Message = { readonly id?: number; readonly method?: string; readonly result?: unknown };
type Place = { readonly line: number; readonly character: number };

/** Asks at the end of a text that stands in the source. */
type Editor = {
  /** What is shown of the name there. */
  hover(text: string): Promise<string>;
  /** What can be written there. */
  complete(text: string): Promise<readonly string[]>;
};

/** Opens a file, which does not have to exist. */
export async function inEditor<T>(
  file: string,
  source: string,
  work: (editor: Editor) => Promise<T>,
): Promise<T> {
  const manifest = createRequire(import.meta.url).resolve("typescript/package.json");
  const server = spawn(process.execPath, [join(dirname(manifest), "bin", "tsc"), "--lsp", "--stdio"]);
  const uri = pathToFileURL(file).href;
  const ask = talkTo(server);
  const askAt = async (method: string, text: string, back: number): Promise<unknown> => {
    const { line, character } = endOf(text, source);
    const position: Place = { line, character: character - back };
    return (await ask(method, { textDocument: { uri }, position })).result;
  };
  try {
    await ask("initialize", { processId: null, rootUri: null, capabilities: {} });
    ask.tell("initialized", {});
    ask.tell("textDocument/didOpen", {
      textDocument: { uri, languageId: "typescript", version: 1, text: source },
    });
    return await work({
      async hover(text) {
        const shown = (await askAt("textDocument/hover", text, 1)) as { contents: { value: string } } | null;
        return shown?.contents.value ?? "nothing";
      },
      async complete(text) {
        const list = (await askAt("textDocument/completion", text, 0)) as {
          items: { label: string }[];
        } | null;
        return list?.items.map(({ label }) => label) ?? [];
      },
    });
  } finally {
    server.kill();
  }
}

function endOf(text: string, source: string): Place {
  const before = source.slice(0, source.indexOf(text) + text.length).split("\n");
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

/** JSON-RPC over the streams of a process: one question at a time. */
function talkTo(server: ChildProcessWithoutNullStreams) {
  const waiting = new Map<number, (message: Message) => void>();
  let received = Buffer.alloc(0);
  server.stdout.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const head = received.indexOf("\r\n\r\n");
      const length = Number(
        /Content-Length: (\d+)/.exec(received.subarray(0, Math.max(head, 0)).toString())?.[1],
      );
      if (head < 0 || received.length < head + 4 + length) return;
      const message: Message = JSON.parse(received.subarray(head + 4, head + 4 + length).toString());
      received = received.subarray(head + 4 + length);
      if (message.method === undefined) waiting.get(message.id ?? 0)?.(message);
      else if (message.id !== undefined) send({ id: message.id, result: null }); // it asks us: we have no wishes
    }
  });
  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  let asked = 0;
  const ask = (method: string, params: object): Promise<Message> =>
    new Promise((resolve) => {
      asked += 1;
      waiting.set(asked, resolve);
      send({ id: asked, method, params });
    });
  return Object.assign(ask, { tell: (method: string, params: object) => send({ method, params }) });
}
