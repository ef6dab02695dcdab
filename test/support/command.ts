// A command line without a process: arguments in, text and exit code out.

import { main } from "../../src/cli/main.ts";
import { toLine } from "../../src/errors/line.ts";

export async function runCommand(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = "";
  let err = "";
  const code = await main(args, {
    out: (text) => {
      out += text;
    },
    printError: (text) => {
      err += `${toLine(text)}\n`;
    },
    env: {},
    unread: () => 0,
    input: async function* () {},
    stopWithStdin: () => {},
    started: () => Promise.resolve("SIGTERM"),
  });
  return { code, out, err };
}
