// A sandbox of a built tree as a test has it: in a program of its own, without the log that the command line writes.

import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { createSandbox } = await import(pathToFileURL(join(process.argv[2] ?? ".", "dist/index.js")).href);
const sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z" });
const { url } = await sandbox.listen();
console.log(JSON.stringify({ event: "ready", url }));
