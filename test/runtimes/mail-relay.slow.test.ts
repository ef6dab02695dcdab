import { type AddressInfo, createServer } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { expect, onTestFinished, test } from "vitest";
import { openMailRelay } from "../../src/runtimes/node/mail-relay.ts";
import { alertAction, billing, preSale, profile } from "../support/billing.ts";
import { frozenSandbox } from "../support/test.ts";

type Received = { readonly to: readonly string[]; readonly raw: string };

/** Mails take their time on a busy machine. */
/** A mail catcher on any free port. */
async function catcher(options: SMTPServerOptions = {}) {
  const mails: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    logger: false, // silent about its own certificate, which it offers by STARTTLS as mail catchers do
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        mails.push({
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString("utf8"),
        });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => {}); // clients that give up are part of the stories
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => new Promise<void>((closed) => server.close(closed)));
  const { port } = server.server.address() as AddressInfo; // a TCP server has a port
  return { url: `smtp://127.0.0.1:${port}`, mails };
}

const nothing: Received = { to: [], raw: "" };

/** A billing world whose next invoice sends an alert mail, relayed to `url`. */
async function story(url: string) {
  const { world, state, record } = billing();
  state.users.set("1", profile("Zoë Müller"));
  state.preSales.set("old", preSale({ uuid: "old", current_credit_available: "10.00" }));
  state.preSaleActions.set("watch", alertAction());
  const failures: string[] = [];
  const relay = await openMailRelay(url);
  relay.follow(world.mailbox, (message) => failures.push(message));
  return { world, state, record, relay, failures };
}

test("an alert mail arrives at a real mail server with all its characters", async () => {
  const server = await catcher();
  const { record, relay, failures } = await story(server.url);
  record({ sent: 1 });
  await expect.poll(() => server.mails.length).toBe(1);
  await relay.close();
  const [{ to, raw } = nothing] = server.mails;
  expect(failures).toEqual([]);
  expect(to).toEqual(["ops@example.test"]);
  expect(decodedSubject(raw)).toBe("Presale credit is low – 9.75 left, under your threshold of 10");
  expect(raw).toMatch(/^X-Vitrine-Action: watch\r$/m);
  expect(raw).toMatch(/^Date: Sun, 01 Mar 2026 09:00:00 \+0000\r$/m);
  const [text, html] = decodedParts(raw);
  expect(text).toContain("Hello Zoë Müller,");
  expect(html).toContain("<td>9.75</td>");
});

test("mails leave in the order they were sent, each to one address, and closing waits for the last", async () => {
  const server = await catcher();
  const { world, relay } = await story(server.url);
  const mail = {
    environment: "account",
    subject: "low",
    text: "low",
    html: "<p>low</p>",
    actionUuid: "watch",
  };
  for (const name of ["one", "two,more", "three"])
    world.mailbox.deliver({ ...mail, to: `${name}@example.test` }, 0);
  await expect.poll(() => server.mails.length).toBeGreaterThan(0);
  await relay.close();
  expect(server.mails.map(({ to }) => to)).toEqual([
    ["one@example.test"],
    ['"two,more"@example.test'],
    ["three@example.test"],
  ]);
  world.mailbox.deliver({ ...mail, to: "late@example.test" }, 0);
  expect(server.mails).toHaveLength(3);
});

test("closing does not wait for a silent server, and the mail is reported as not sent", async () => {
  const silent = createServer();
  await new Promise<void>((listening) => silent.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo; // a TCP server has a port
  const left = new Promise((resolve) => silent.once("connection", (socket) => socket.once("close", resolve)));
  const { world, record, relay, failures } = await story(`smtp://127.0.0.1:${port}`);
  const accepted = new Promise((resolve) => silent.once("connection", resolve));
  record({ sent: 1 });
  await accepted;
  const started = performance.now();
  await relay.close();
  await left;
  expect(performance.now() - started).toBeLessThan(2_000); // without closing it takes five seconds
  expect(failures).toEqual([
    expect.stringMatching(/^Mail 1 to .* could not be sent to .*It stays in the mailbox\.$/),
  ]);
  expect(world.mailbox.messages()).toHaveLength(1);
});

test("credentials in the URL are used to log in, and no notice contains them", async () => {
  const logins: unknown[] = [];
  const server = await catcher({
    authOptional: false,
    onAuth({ username, password }, _session, done) {
      logins.push([username, password]);
      done(logins.length > 1 ? new Error("not you") : null, { user: username });
    },
  });
  const { state, record, relay, failures } = await story(server.url.replace("//", "//zoe:p%40ss@"));
  record({ sent: 1 });
  state.preSales.set("old", preSale({ uuid: "old", current_credit_available: "10.00" }));
  record({ sent: 1 });
  await expect.poll(() => server.mails.length + failures.length).toBe(2);
  await relay.close();
  expect(logins).toEqual([
    ["zoe", "p@ss"],
    ["zoe", "p@ss"],
  ]);
  expect(server.mails).toHaveLength(1);
  expect(failures).toEqual([expect.not.stringContaining("p@ss")]);
});

test("a server that is down harms nothing: the usage is recorded, the mail is kept, the failure is told", async () => {
  const { world, state, record, relay, failures } = await story(await nobodyThere());
  expect(record({ sent: 1 }).mails).toHaveLength(1);
  await expect.poll(() => failures.length).toBe(1);
  await relay.close();
  expect(state.preSales.get("old")?.current_credit_available).toBe("9.75");
  expect(world.mailbox.messages()).toHaveLength(1);
  expect(failures).toEqual([
    expect.stringMatching(
      /^Mail 1 to ops@example\.test could not be sent to 127\.0\.0\.1:\d+: .*ECONNREFUSED.* It stays in the mailbox\.$/,
    ),
  ]);
});

test("a server that rejects a mail causes no error, and the next mail is sent", async () => {
  const refused: string[] = [];
  const server = await catcher({
    onRcptTo({ address }, _session, done) {
      if (refused.push(address) > 1) return done();
      return done(new Error("mailbox unavailable"));
    },
  });
  const { world, record, state, relay, failures } = await story(server.url);
  record({ sent: 1 });
  state.preSales.set("old", preSale({ uuid: "old", current_credit_available: "10.00" }));
  record({ sent: 1 });
  await expect.poll(() => server.mails.length + failures.length).toBe(2);
  await relay.close();
  expect(failures).toEqual([expect.stringContaining("mailbox unavailable")]);
  expect(server.mails).toHaveLength(1);
  expect(world.mailbox.messages()).toHaveLength(2);
});

test("the option smtp sends the alerts of all worlds to the server, and the journal has the failures", async () => {
  const server = await catcher();
  const sandbox = await frozenSandbox({ smtp: server.url });
  sandbox.usage.record({ sent: 14 });
  sandbox.fork("other").usage.record({ sent: 4_000 });
  await expect.poll(() => server.mails.length).toBe(2);
  await sandbox.close();
  expect(server.mails.map(({ to }) => to)).toEqual([["ops@example.test"], ["ada@example.test"]]);

  const unlucky = await frozenSandbox({ smtp: await nobodyThere() });
  unlucky.usage.record({ sent: 14 });
  await unlucky.close();
  expect(unlucky.mailbox.messages()).toHaveLength(1);
  expect(unlucky.state().notices).toEqual([
    { key: "mailNotSent", message: expect.stringContaining("It stays in the mailbox.") },
  ]);
});

test.each(["localhost:1025", "http://localhost:1025", "smtp://", "smtp://%zz@localhost", ""])(
  "the address %j is refused before anything starts",
  async (url) => {
    await expect(openMailRelay(url)).rejects.toMatchObject({
      code: "badOption",
      message: expect.stringContaining("smtp://localhost:1025"),
    });
  },
);

/** An address where a server has just been closed. */
async function nobodyThere(): Promise<string> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo; // a TCP server has a port
  await new Promise((closed) => server.close(closed));
  return `smtp://127.0.0.1:${port}`;
}

function decodedSubject(raw: string): string {
  const folded = /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(raw)?.[1] ?? "";
  const words = folded.replace(/\?=\r\n[ \t]=\?/g, "?==?");
  return words.replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_word, kind: string, text: string) =>
    kind.toUpperCase() === "B"
      ? Buffer.from(text, "base64").toString("utf8")
      : fromQuoted(text.replaceAll("_", " ")),
  );
}

/** The bodies of a multipart mail, decoded. */
function decodedParts(raw: string): string[] {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? "";
  return raw
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const [head = "", ...body] = part.trimStart().split("\r\n\r\n");
      const text = body.join("\r\n\r\n");
      if (/base64/i.test(head)) return Buffer.from(text, "base64").toString("utf8");
      return /quoted-printable/i.test(head) ? fromQuoted(text.replace(/=\r\n/g, "")) : text;
    });
}

function fromQuoted(text: string): string {
  return decodeURIComponent(text.replace(/%/g, "%25").replace(/=([0-9A-F]{2})/g, "%$1"));
}
