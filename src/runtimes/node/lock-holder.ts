/**
 * Whether the holder of a lock lives: it listens on a socket in the folder, which a process in another container that
 * shares the folder can ask as well. Where no socket can be had it touches its lock every second instead.
 */

import { readFile, rm, stat, utimes } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { wallClock } from "../../world/clock.ts";
import { clearInterval, setInterval } from "../../world/timers.ts";
import { codeOf } from "./state-files.ts";

/** `startedAt` distinguishes a process from a later one with the same pid; empty where the system lacks it. */
export type Holder = {
  readonly pid: number;
  readonly startedAt: string;
  /** The name of its socket in the folder. */
  readonly socket?: string | undefined;
  /** It touches its lock. */
  readonly beats?: boolean | undefined;
};

/** A path to a socket has no room for more, on the narrowest system. */
const MOST_PATH_BYTES = 103;
const BEAT_MS = 1_000;
const PATIENCE_MS = 5 * BEAT_MS;

/** Listens under that name; undefined where the path is too long or the file system has no sockets. */
export async function listenIn(folder: string, name: string): Promise<Server | undefined> {
  const path = join(folder, name);
  if (Buffer.byteLength(path) > MOST_PATH_BYTES) return undefined;
  const server = createServer((socket) => socket.destroy()); // to be reached is the whole answer
  server.unref();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(path, () => resolve(true));
  });
  return isListening ? server : undefined;
}

export async function stopListening(server: Server, folder: string, name: string): Promise<void> {
  await new Promise<void>((resolve) => server.close(() => resolve()));
  await rm(join(folder, name), { force: true });
}

/** Touches the lock until the returned function is called. */
export function beat(file: string): () => void {
  const timer = setInterval(() => {
    const now = new Date();
    void utimes(file, now, now).catch(() => {}); // whoever removed it has taken the lock away
  }, BEAT_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Asks its socket, then the system for its pid, then waits for a beat of its lock. */
export async function isAlive(folder: string, file: string, holder: Holder): Promise<boolean> {
  if (holder.socket !== undefined) {
    const answer = await ask(join(folder, holder.socket));
    if (answer !== undefined) return answer;
  }
  return (await isRunning(holder)) || (holder.beats === true && (await isBeating(file)));
}

/** Undefined where there is no such socket any more: somebody removed it, or it was never in reach. */
function ask(path: string): Promise<boolean | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", (error) => resolve(codeOf(error) === "ECONNREFUSED" ? false : undefined));
  });
}

/** In this namespace of pids. */
async function isRunning({ pid, startedAt }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === "ESRCH") return false;
  }
  return startedAt === (await startOf(pid));
}

async function isBeating(file: string): Promise<boolean> {
  const touched = (): Promise<number> =>
    stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
  const before = await touched();
  for (let waited = 0; waited < PATIENCE_MS; waited += BEAT_MS / 4) {
    await wallClock.pause(BEAT_MS / 4);
    if ((await touched()) !== before) return true;
  }
  return false;
}

/** When a process started, in ticks since boot, from /proc; empty where there is no /proc. */
export async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
