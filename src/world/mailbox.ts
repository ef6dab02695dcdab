/** Stores the mails that the simulated services send. No mail leaves the sandbox. */

import { readFields } from "../errors/arguments.ts";
import { quote } from "../errors/quote.ts";
import { UsageError } from "../errors/usage-error.ts";
import { Listeners, readWaitOptions, type WaitForOptions, type WaitOptions } from "./listeners.ts";
import type { Store } from "./store.ts";
import { type Timestamp, toIso } from "./time.ts";

export type Message = {
  readonly id: string;
  readonly environment: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Time of the sandbox clock, in ISO 8601. */
  readonly at: string;
  /** Id of the presale action that triggered the mail. */
  readonly actionUuid: string;
};

export type MessageFilter = {
  readonly to?: string | undefined;
  readonly actionUuid?: string | undefined;
  /** A string that the subject contains. The other fields must be equal. */
  readonly subject?: string | undefined;
  readonly environment?: string | undefined;
};

const FILTER_FIELDS = ["to", "actionUuid", "subject", "environment"] as const;
/** Name of the store's collection of mails, and of the counter for their ids. */
const MAILBOX = "mailbox";
const DEFAULT_WITHIN = "2s";
const MAX_SHOWN_MESSAGES = 10;

export class Mailbox {
  readonly #store: Store;
  readonly #waiting: WaitOptions;
  readonly #listeners = new Listeners<Message>((message) => this.#onListenerFailure(message));
  #onListenerFailure: (message: string) => void = () => {};

  constructor(store: Store, waiting: WaitOptions) {
    this.#store = store;
    this.#waiting = waiting;
  }

  /** Stores a mail. Notifies subscribers after the transaction is committed. */
  deliver(mail: Omit<Message, "id" | "at">, now: Timestamp): Message {
    const id = String(this.#store.next(MAILBOX));
    const message = { id, ...mail, at: toIso(now) };
    this.#store.collection<Message>(MAILBOX).set(id, message);
    this.#store.afterCommit(() => this.#listeners.emit(message));
    return message;
  }

  /** Calls `report` with the error message if a subscriber throws. */
  onListenerFailure(report: (message: string) => void): void {
    this.#onListenerFailure = report;
  }

  /** Returns the mails that match the filter, oldest first. */
  messages(given?: MessageFilter): readonly Message[] {
    const filter = readFields(given, FILTER_FIELDS, "filter");
    const all = this.#store.collection<Message>(MAILBOX).all();
    return all.filter((message) => matchesFilter(message, filter));
  }

  /** Resolves with the first matching mail. Rejects with a UsageError on timeout, or if `signal` aborts or the sandbox closes. */
  async waitFor(filter: MessageFilter = {}, options?: WaitForOptions): Promise<Message> {
    const { limitMs, within, signal } = readWaitOptions(options, DEFAULT_WITHIN);
    const [present] = this.messages(filter);
    if (present !== undefined) return present;
    const isWanted = (message: Message): boolean => matchesFilter(message, filter);
    const next = await this.#listeners.next(isWanted, limitMs, { ...this.#waiting, signal });
    if (next !== undefined) return next;
    const message = `No mail ${describeFilter(filter)} within ${within}. ${this.#describeContents()}`;
    throw new UsageError("timedOut", message);
  }

  clear(): void {
    this.#store.collection<Message>(MAILBOX).clear();
  }

  /** Returns a function that unsubscribes the listener. */
  subscribe(listener: (message: Message) => void): () => void {
    return this.#listeners.add(listener);
  }

  #describeContents(): string {
    const messages = this.messages();
    if (messages.length === 0) return "The mailbox is empty.";
    const shown = messages.slice(-MAX_SHOWN_MESSAGES).map(({ to, subject }) => `${to} ${quote(subject)}`);
    const left = messages.length - shown.length;
    return `The mailbox contains${left > 0 ? ` ${left} older and` : ""}: ${shown.join(", ")}.`;
  }
}

function describeFilter(filter: MessageFilter): string {
  const parts = Object.entries(filter).filter(([, value]) => value !== undefined);
  return parts.length === 0
    ? "arrived"
    : `with ${parts.map(([name, value]) => `${name} ${quote(value)}`).join(" and ")} arrived`;
}

function matchesFilter(message: Message, { subject = "", ...exact }: MessageFilter): boolean {
  const fields = Object.entries(exact) as [keyof Message, string | undefined][]; // Safe cast: `exact` has only fields of a message.
  const isEqual = fields.every(([field, value]) => value === undefined || message[field] === value);
  return isEqual && message.subject.includes(subject);
}
