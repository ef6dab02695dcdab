/** Sends mails by SMTP to a server of the user. Whatever happens to one here, the mailbox keeps its copy. */

import { connect, type Socket } from "node:net";
import { UsageError } from "../../errors/usage-error.ts";
import { decodePercent } from "../../http/percent.ts";
import { LOOPBACK_HOSTS } from "../../sandbox/addresses.ts";
import type { MailRelay, RelayFailure } from "../../server/runtime.ts";
import { wallClock } from "../../world/clock.ts";
import type { Message } from "../../world/mailbox.ts";

const SENDER = { name: "vitrine", address: "no-reply@vitrine.test" };
const TIMEOUT_MS = 5_000;
/** How long a server may say nothing while the relay closes, and how many times that it may take in all. */
const QUIET_MS = 200;
const MAX_TURNS = 5;

export async function openMailRelay(url: string): Promise<MailRelay> {
  const server = URL.canParse(url) ? toServer(new URL(url)) : undefined;
  if (server === undefined)
    throw new UsageError(
      "badOption",
      `smtp: ${JSON.stringify(url)} is not the address of a mail server. Write smtp://localhost:1025 or smtps://user:password@host:465.`,
    );
  const { createTransport } = await import("nodemailer");
  const ended = new AbortController();
  let socket: Socket | undefined;
  let steps = 0;
  const transport = createTransport({
    ...server,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    // A socket of our own, whose bytes tell whether the server says anything.
    getSocket(_options, use) {
      const { host, port } = server;
      const connection = connect({ host, port, signal: ended.signal, timeout: TIMEOUT_MS });
      const late = (): void => void connection.destroy(new Error("Connection timeout"));
      socket = connection.once("timeout", late).once("error", use);
      connection.once("connect", () => {
        steps += 1;
        connection.off("timeout", late).off("error", use);
        use(null, { connection });
      });
    },
  });
  const send = async (message: Message, onFailure: RelayFailure): Promise<void> => {
    try {
      await transport.sendMail({ ...toMail(message), signal: ended.signal });
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      onFailure(
        `Mail ${message.id} to ${message.to} did not leave by ${server.host}:${server.port}: ${cause}. It stays in the mailbox.`,
        error,
      );
    }
    steps += 1;
  };
  let last: Promise<void> = Promise.resolve();
  let closed = false;
  return {
    follow(mailbox, onFailure) {
      mailbox.subscribe((message) => {
        if (!closed) last = last.then(() => (ended.signal.aborted ? undefined : send(message, onFailure)));
      });
    },
    async close() {
      closed = true;
      await Promise.race([last, waitUntilQuiet(() => steps + (socket?.bytesRead ?? 0))]);
      ended.abort(new Error("the sandbox was closed"));
    },
  };
}

/** Resolves once a server has said nothing for a while; in any case after a second. */
async function waitUntilQuiet(heard: () => number): Promise<void> {
  for (let passed = 0; passed < MAX_TURNS; passed += 1) {
    const before = heard();
    await wallClock.pause(QUIET_MS);
    if (heard() === before) return;
  }
}

function toMail({ to, subject, text, html, at, actionUuid }: Message) {
  return {
    from: SENDER,
    // An object, so that a comma in it cannot turn one address into several.
    to: { name: "", address: to },
    subject,
    text,
    html,
    date: new Date(at),
    headers: { "X-Vitrine-Action": actionUuid },
  };
}

/** Certificates of a server on this machine are not checked: mail catchers make their own. */
function toServer({ protocol, hostname, port, username, password }: URL) {
  if (!["smtp:", "smtps:"].includes(protocol) || hostname === "") return undefined;
  const [user, pass] = [decodePercent(username), decodePercent(password)];
  if (user === undefined || pass === undefined) return undefined;
  const secure = protocol === "smtps:";
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (secure ? 465 : 25) : Number(port),
    secure,
    tls: { rejectUnauthorized: !LOOPBACK_HOSTS.includes(hostname) },
    ...(user === "" ? {} : { auth: { user, pass } }),
  };
}
