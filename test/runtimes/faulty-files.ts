// Files of a state of which one call goes wrong, in one of several ways.

import { machineFiles, type OpenFile, type StateFiles } from "../../src/runtimes/node/state-files.ts";

/**
 * What happens at the call: it fails having done nothing, or only half of what it should write; from then on every call
 * fails, as the process was killed; or it fails, and so do the next ones for as long as the disk is full.
 */
export type Fault = "EIO" | "ENOSPC" | "half" | "kill" | "half and kill";
export const FAULTS: readonly Fault[] = ["EIO", "ENOSPC", "half", "kill", "half and kill"];

/** `at` counts the calls from now on; 0: none goes wrong. */
export function faultyFiles() {
  const told = { calls: 0, at: 0, fault: "EIO" as Fault, isDead: false, names: [] as string[] };

  const failure = (): Error => {
    const code = told.fault === "ENOSPC" ? "ENOSPC" : "EIO";
    return Object.assign(new Error(`${code} on purpose`), { code });
  };
  const call = async <T>(name: string, act: () => Promise<T>, half?: () => Promise<unknown>): Promise<T> => {
    if (told.isDead) throw failure();
    told.calls += 1;
    told.names.push(name);
    if (told.calls !== told.at) return act();
    if (told.fault.includes("half")) await half?.();
    told.isDead = told.fault.includes("kill");
    throw failure();
  };
  const wrap = (file: OpenFile): OpenFile => ({
    append: (bytes) =>
      call(
        "append",
        () => file.append(bytes),
        () => file.append(bytes.subarray(0, bytes.length >> 1)),
      ),
    read: (length) => call("read", () => file.read(length)),
    sync: () => call("sync", () => file.sync()),
    truncate: (length) => call("truncate", () => file.truncate(length)),
    close: () => file.close(),
  });
  const files: StateFiles = {
    ...machineFiles,
    create: (path) => call("create", async () => wrap(await machineFiles.create(path))),
    open: (path) => call("open", async () => wrap(await machineFiles.open(path))),
    list: (path) => call("list", () => machineFiles.list(path)),
    read: (path) => call("read", () => machineFiles.read(path)),
    truncate: (path, length) => call("truncate", () => machineFiles.truncate(path, length)),
    rename: (from, to) => call("rename", () => machineFiles.rename(from, to)),
    link: (path, name) => call("link", () => machineFiles.link(path, name)),
    remove: (path) => call("remove", () => machineFiles.remove(path)),
    syncFolder: (path) => call("syncFolder", () => machineFiles.syncFolder(path)),
  };
  return { files, told };
}
