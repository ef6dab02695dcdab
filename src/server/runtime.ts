/** The parts that differ between Node, browsers and Cloudflare Workers: platform, package files, sockets and mail. */

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
  /** Reads a file with base data. If `path` is a folder, reads the file `base.json` in it. */
  readonly openBase: (path: string) => ScenarioText;
  /** Format of the errors that `fetch` throws for malformed HTTP in this runtime. */
  readonly parserErrors: ParserErrors;
  /** Loads the control API, with the dashboard if the runtime serves it. */
  readonly control: () => Promise<Service>;
  /** Loads the HTTP server. Undefined in runtimes without sockets. */
  readonly sockets: (() => Promise<{ readonly listen: Listen }>) | undefined;
  /** Loads the SMTP client. Undefined in runtimes without sockets. */
  readonly mail: (() => Promise<{ readonly openMailRelay: OpenMailRelay }>) | undefined;
};

export type HandleRequest = (request: IncomingRequest) => OutgoingResponse | Promise<OutgoingResponse>;

export type Listen = (answer: HandleRequest, options?: PortOptions) => Promise<PortListener>;

export type PortOptions = {
  /** Default: 0, which selects any free port. */
  readonly port?: number | undefined;
  /** Host name or address to listen on. A host that is not loopback requires a control token. Default: 127.0.0.1 and ::1. */
  readonly host?: string | undefined;
  /** Paths of PEM files for https: a certificate (`cert`) and its private key (`key`). Default: http. */
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
  /** Base URL without a trailing slash, such as `http://localhost:4010`. */
  readonly origin: string;
  /** Closes idle sockets immediately, and all others after their response, at most 1 s later. */
  close(): Promise<void>;
  /** Closes idle connections if their last request matches. */
  closeIdle(matches: (request: LastRequest) => boolean): void;
};

/** Opens a relay to a mail server: `smtp://localhost:1025` or `smtps://user:pass@host:465`. Connects at the first mail. */
type OpenMailRelay = (url: string) => Promise<MailRelay>;

export type MailRelay = {
  /** Forwards all future mails of a mailbox. All mailboxes share one queue. */
  follow(mailbox: Mailbox, onFailure: RelayFailure): void;
  /** Stops accepting mails. Sends queued mails for at most 1 s, and stops earlier if the mail server does not respond. */
  close(): Promise<void>;
};

/** Called for each mail that could not be sent. `message` is a sentence for users. */
export type RelayFailure = (message: string, error: unknown) => void;

/** Loads an optional part of the runtime. `feature` is the option or method that needs the part. */
export function loadPart<T>(part: (() => Promise<T>) | undefined, feature: string): Promise<T> {
  if (part !== undefined) return part();
  const message = `${feature} is only available in Node, with createSandbox of "vitrine". Browsers have no files and sockets.`;
  throw new UsageError("badOption", message);
}
