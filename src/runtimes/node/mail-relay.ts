/** Forwards mails to an SMTP server. The mailbox stores each mail, even if forwarding fails. */

import { connect, type Socket } from "node:net";
import { UsageError } from "../../errors/usage-error.ts";
import { decodePercent } from "../../http/percent.ts";
import { LOOPBACK_HOSTS } from "../../sandbox/addresses.ts";
import type { MailRelay, RelayFailure } from "../../server/runtime.ts";
import { wallClock } from "../../world/clock.ts";
import type { Message } from "../../world/mailbox.ts";

const SENDER = { name: "vitrine", address: "no-reply@vitrine.test" };
const TIMEOUT_MS = 5_000;
/** On close, the relay waits 200 ms for pending mails. It repeats this while the mails make progress, at most 5 times in total. */
const QUIET_MS = 200;
const MAX_INTERVALS = 5;

export async function openMailRelay(url: string): Promise<MailRelay> {
  const server = URL.canParse(url) ? toServer(new URL(url)) : undefined;
  const message = `smtp: ${JSON.stringify(url)} is not the URL of a mail server. Write smtp://localhost:1025 or smtps://user:password@host:465.`;
  if (server === undefined) throw new UsageError("badOption", message);
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
    // Creates the socket here, because `close` reads the number of received bytes from it.
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
        `Mail ${message.id} to ${message.to} could not be sent to ${server.host}:${server.port}: ${cause}. It stays in the mailbox.`,
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

/** Resolves after the first interval without progress, or after `MAX_INTERVALS`. */
async function waitUntilQuiet(readProgress: () => number): Promise<void> {
  for (let passed = 0; passed < MAX_INTERVALS; passed += 1) {
    const before = readProgress();
    await wallClock.pause(QUIET_MS);
    if (readProgress() === before) return;
  }
}

function toMail({ to, subject, text, html, at, actionUuid }: Message) {
  return {
    from: SENDER,
    // nodemailer would split a string with a comma into two addresses. It does not split an object.
    to: { name: "", address: to },
    subject,
    text,
    html,
    date: new Date(at),
    headers: { "X-Vitrine-Action": actionUuid },
  };
}

/** Converts the URL to nodemailer options. Skips certificate checks for local mail servers, which use self-signed certificates. */
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
