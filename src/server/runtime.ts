/** What a runtime provides: the files of the package, a platform, and what only some runtimes have, such as sockets and mail. */

import { UsageError } from "../errors/usage-error.ts";
import type { IncomingRequest } from "../http/incoming-request.ts";
import type { Service } from "../operation/service.ts";
import type { ParserErrors } from "../pipeline/broken-reply.ts";
import type { OutgoingResponse } from "../pipeline/outgoing-response.ts";
import type { PackageLibrary, ScenarioSource } from "../scenario/library.ts";
import type { ScenarioText } from "../scenario/scenario.ts";
import type { Mailbox } from "../world/mailbox.ts";
import type { Platform } from "../world/platform.ts";

export type Runtime = ScenarioSource & {
  readonly platform: Platform;
  readonly library: PackageLibrary;
  /** Reads a base file, or the file `base.json` of a folder. */
  readonly openBase: (path: string) => ScenarioText;
  /** How the runtime's own fetch reports bytes that are not HTTP. */
  readonly parserErrors: ParserErrors;
  /** Loads the control API, with its pages if the runtime serves them. */
  readonly control: () => Promise<Service>;
  /** Loads the HTTP server. Undefined in runtimes without sockets. */
  readonly sockets: (() => Promise<{ readonly listen: Listen }>) | undefined;
  /** Loads the SMTP client. Undefined in runtimes without sockets. */
  readonly mail: (() => Promise<{ readonly openMailRelay: OpenMailRelay }>) | undefined;
};

export type HandleRequest = (request: IncomingRequest) => OutgoingResponse | Promise<OutgoingResponse>;

/** Resolves when bound, rejects when not. */
export type Listen = (answer: HandleRequest, options?: PortOptions) => Promise<PortListener>;

export type PortOptions = {
  /** 0, the default: any free port. */
  readonly port?: number | undefined;
  /** A name or address of this machine; off the loopback the sandbox needs a control token. Default: both loopback families. */
  readonly host?: string | undefined;
  /** PEM files of a certificate and its key: the ports speak https. Default: http. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
};

/** The last request of a connection. */
export type LastRequest = {
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

export type PortListener = {
  readonly port: number;
  /** `http://localhost:4010`, without a slash at the end. */
  readonly origin: string;
  /** Ends within a second: requests in flight get that long, every other socket is closed at once. */
  close(): Promise<void>;
  /** Closes the idle connections whose last request matches. */
  closeIdle(matches: (request: LastRequest) => boolean): void;
};

/**
 * Opens a relay to `smtp://localhost:1025` or `smtps://user:pass@host:465`; throws a UsageError when `url` is not such
 * an address. A server that is down or refuses is only noticed with the first mail.
 */
type OpenMailRelay = (url: string) => Promise<MailRelay>;

export type MailRelay = {
  /** Forwards what a mailbox delivers from now on; all mailboxes share one queue. */
  follow(mailbox: Mailbox, onFailure: RelayFailure): void;
  /**
   * Accepts no more mails and waits for the last to leave, at most a second and not for a server that says nothing;
   * those still queued then stay.
   */
  close(): Promise<void>;
};

/** Called for each mail that was not sent, with one sentence for a person and the cause. */
export type RelayFailure = (message: string, error: unknown) => void;

/** Loads a part that only some runtimes have, for the option or method `what`. */
export function loadPart<T>(part: (() => Promise<T>) | undefined, what: string): Promise<T> {
  if (part !== undefined) return part();
  const where = "In a browser there are no files and no sockets";
  throw new UsageError(
    "badOption",
    `${what} is only there on a server, with createSandbox of "vitrine". ${where}.`,
  );
}
