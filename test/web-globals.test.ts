// Where a test runner's globals are those of jsdom, much of the web's is missing: the built package is loaded all the
// same, and asks for it with its first use.

import { execFile } from "node:child_process";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ROOT } from "./support/built.ts";

/** What Node has and jsdom, as Jest shows it, has not. */
const MISSING = [
  ...["fetch", "Request", "Response", "Headers", "ReadableStream", "WritableStream", "TransformStream"],
  ...["TextEncoder", "TextDecoder", "TextEncoderStream", "TextDecoderStream", "CompressionStream"],
  ...["DecompressionStream", "structuredClone", "BroadcastChannel", "MessageChannel", "setImmediate"],
  ...["clearImmediate", "crypto", "performance"],
];

test("the package is loaded, and makes a sandbox, without the globals of the web", async () => {
  const index = pathToFileURL(`${ROOT}/dist/index.js`).href;
  const program = `
    for (const name of ${JSON.stringify(MISSING)}) delete globalThis[name];
    const { createSandbox } = await import(${JSON.stringify(index)});
    const sandbox = await createSandbox();
    const events = sandbox.data.museum.specialEvents.all().length;
    await sandbox.close();
    process.stdout.write(events + " events");
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
  expect(stdout).toMatch(/^\d+ events$/);
});
