// Binding and closing, over real sockets.

import { connect, createServer, type Socket } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { OutgoingResponse } from "../../src/pipeline/outgoing-response.ts";
import { listen } from "../../src/runtimes/node/http-server.ts";
import { toHeaderName } from "../../src/runtimes/node/send.ts";
import type { HandleRequest, PortListener, PortOptions } from "../../src/server/runtime.ts";
import { exchangeRaw } from "./raw-client.ts";

const text = (body: string, status = 200): OutgoingResponse => ({ status, headers: {}, body });
const hello: HandleRequest = () => text("hello");
afterEach(() => vi.restoreAllMocks());

const GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

async function withServer(
  answer: HandleRequest,
  work: (listening: PortListener) => Promise<void>,
  options: PortOptions = {},
): Promise<void> {
  const listening = await listen(answer, options);
  try {
    await work(listening);
  } finally {
    await listening.close();
  }
}

/** A socket that is connected and has sent these bytes. */
function open(port: number, bytes = ""): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      if (bytes === "") resolve(socket);
      else socket.write(bytes, () => resolve(socket));
    });
    socket.on("error", reject);
  });
}

/** Milliseconds of simulated-free wall time that closing took. */
async function timeToClose(listening: PortListener): Promise<number> {
  const started = performance.now();
  await listening.close();
  return performance.now() - started;
}

test("header names have their usual case on the wire, in every response", async () => {
  const headers = {
    "www-authenticate": "Bearer",
    "retry-after": "5",
    etag: '"1"',
    "x-vitrine-near-miss": "-",
  };
  await withServer(
    () => ({ status: 401, headers, body: "no" }),
    async ({ port }) => {
      for (let round = 0; round < 2; round += 1) {
        const { text } = await exchangeRaw(port, [GET]);
        const names = text.split("\r\n\r\n")[0]?.split("\r\n").slice(1);
        expect(names?.map((field) => field.split(":")[0])).toEqual([
          "ETag",
          "Retry-After",
          "WWW-Authenticate",
          "X-Vitrine-Near-Miss",
          "Content-Length",
          "Date",
          "Connection",
          "Keep-Alive",
        ]);
        for (let rare = 0; rare < 300; rare += 1)
          expect(toHeaderName(`x-rare-${rare}`)).toBe(`X-Rare-${rare}`);
      }
    },
  );
});

describe("listen", () => {
  test("port 0 selects one port that is free on both loopback families", async () => {
    await withServer(hello, async ({ port }) => {
      for (const host of ["127.0.0.1", "[::1]"])
        expect(await (await fetch(`http://${host}:${port}`)).text()).toBe("hello");
      await expect(listen(hello, { port })).rejects.toMatchObject({ code: "portInUse" });
    });
  });

  test("a used port is an error that names --port 0, and nothing stays bound", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "::1", resolve));
    const { port } = other.address() as { port: number };
    await expect(listen(hello, { port })).rejects.toThrow(
      `Port ${port} is in use. Choose another with --port, or --port 0 for any free one.`,
    );
    await withServer(hello, async (listening) => expect(listening.port).toBe(port), {
      port,
      host: "127.0.0.1",
    });
    other.close();
  });

  test.for<[string, PortOptions, RegExp]>([
    ["a port over 65535", { port: 70_000 }, /70000 is not a port/],
    ["a fraction of a port", { port: 1.5 }, /1\.5 is not a port/],
    ["an address of another machine", { host: "192.0.2.1" }, /not an address of this machine/],
    ["a name nobody has", { host: "no-such-host.invalid" }, /host not found/],
  ])("%s is rejected with a one-line error", async ([, options, message]) => {
    await expect(listen(hello, options)).rejects.toThrow(message);
  });

  test("the global Request and Response stay those of the platform", async () => {
    const { Request, Response } = globalThis;
    await withServer(hello, async () => {
      expect(globalThis.Request).toBe(Request);
      expect(globalThis.Response).toBe(Response);
    });
  });

  test("2,000 pipelined requests are answered in order", async () => {
    let served = 0;
    await withServer(
      () => {
        served += 1;
        return text(`#${served};`);
      },
      async ({ port }) => {
        const answer = await exchangeRaw(port, [GET.repeat(2_000)], (text) => text.includes("#2000;"));
        const numbers = [...answer.text.matchAll(/#(\d+);/g)].map(([, number]) => Number(number));
        expect(numbers).toEqual(Array.from({ length: 2_000 }, (_, index) => index + 1));
      },
    );
  });

  test("clients that leave in the middle of their body leave no trace on the console", async () => {
    const printed = [
      vi.spyOn(console, "error"),
      vi.spyOn(console, "info"),
      vi.spyOn(process.stderr, "write"),
    ];
    const ended: Promise<unknown>[] = [];
    const reading: HandleRequest = async (asked) => {
      const read = Promise.resolve(asked.bytes(10_000)).then(
        () => text("whole"),
        () => text("cut", 400),
      );
      ended.push(read);
      return read;
    };
    await withServer(reading, async ({ port }) => {
      for (let round = 0; round < 20; round += 1) {
        const socket = await open(
          port,
          "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nabc",
        );
        await expect.poll(() => ended).toHaveLength(round + 1);
        socket.destroy();
      }
      const answers = (await Promise.all(ended)) as OutgoingResponse[];
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(400));
      expect((await exchangeRaw(port, [GET])).status).toBe(200);
    });
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  });

  test("a body that nobody reads does not spoil the connection for the next request", async () => {
    await withServer(hello, async ({ port }) => {
      const body = "a".repeat(300_000);
      const post = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      const answer = await exchangeRaw(port, [post, GET], (text) => text.split("hello").length === 3);
      expect(answer.text.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    });
  });

  test("an error of the app returns 500 without its message", async () => {
    const broken: HandleRequest = () => {
      throw new Error("secret of /etc");
    };
    await withServer(broken, async ({ port }) => {
      const { status, body } = await exchangeRaw(port, [GET]);
      expect(status).toBe(500);
      expect(body).not.toContain("secret");
    });
  });
});

describe("close", () => {
  test("does not wait for idle and half-open sockets", async () => {
    const listening = await listen(hello);
    const sockets = [
      await open(listening.port),
      await open(listening.port, "GET / HT"),
      await open(listening.port, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc"),
    ];
    expect((await exchangeRaw(listening.port, [GET])).status).toBe(200);
    expect(await timeToClose(listening)).toBeLessThan(250);
    for (const socket of sockets) socket.destroy();
  });

  test("waits for a request in flight, whose response announces the end of the connection", async () => {
    let release: (sent: OutgoingResponse) => void = () => {};
    let arrived = (): void => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const listening = await listen(() => {
      arrived();
      return new Promise<OutgoingResponse>((resolve) => {
        release = resolve;
      });
    });
    const answer = exchangeRaw(listening.port, [GET]);
    await arrival;
    const closed = listening.close();
    release(text("late"));
    expect(await answer).toMatchObject({ status: 200, body: "late", headers: { connection: "close" } });
    await closed;
    await expect(open(listening.port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  test("waits less than a second for a response that never comes", async () => {
    const listening = await listen(() => new Promise(() => {}));
    const socket = await open(listening.port, GET);
    expect(await timeToClose(listening)).toBeLessThan(1_000);
    socket.destroy();
  });

  test("can be called twice", async () => {
    const listening = await listen(hello);
    await Promise.all([listening.close(), listening.close()]);
  });
});
