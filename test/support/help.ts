// What `vitrine --help` and `vitrine COMMAND --help` print.

import { expect } from "vitest";
import { main } from "../../src/cli/main.ts";

export async function help(name = ""): Promise<string> {
  let text = "";
  const io = {
    out: (part: string) => {
      text += part;
    },
    printError: (line: string) => expect.unreachable(line),
    env: {},
    input: () => expect.unreachable("help reads nothing"),
    unread: () => expect.unreachable("help writes no log"),
    stopWithStdin: () => expect.unreachable("help reads nothing"),
    started: () => expect.unreachable("help serves nobody"),
  };
  expect(await main([...(name === "" ? [] : [name]), "--help"], io)).toBe(0);
  return text;
}
