/**
 * Which process uses a port that is already taken. Best effort, through /proc: other systems give no answer, and
 * processes of other users stay unknown.
 */

import { readdir, readFile, readlink } from "node:fs/promises";

const LISTENING = "0A";

/** `node (pid 4711)`, or undefined when unknown. */
export async function portUser(port: number): Promise<string | undefined> {
  try {
    const inodes = new Set<string>();
    for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
      const text = await readFile(table, "utf8").catch(() => "");
      for (const inode of listeningInodes(text, port)) inodes.add(`socket:[${inode}]`);
    }
    if (inodes.size === 0) return undefined;
    for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
      if (!(await holdsAny(pid, inodes))) continue;
      const name = (await readFile(`/proc/${pid}/comm`, "utf8")).trim();
      return `${name} (pid ${pid})`;
    }
  } catch {
    // no /proc, or the process has just ended: the message does without the name
  }
  return undefined;
}

/** The inodes of the sockets that listen on a port, from a table in the format of /proc/net/tcp. */
function listeningInodes(table: string, port: number): string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  return table.split("\n").flatMap((line) => {
    const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
    return state === LISTENING && local.endsWith(`:${hex}`) ? [inode] : [];
  });
}

async function holdsAny(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const links = await Promise.all(descriptors.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => "")));
  return links.some((link) => sockets.has(link));
}
