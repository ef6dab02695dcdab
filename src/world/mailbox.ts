// Owns the mails that the simulated services send: kept with the state, never sent anywhere by itself.

import type { Store } from "./store.ts";
import type { Instant } from "./time.ts";

export type Message = {
  readonly id: string;
  readonly environment: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** ISO 8601, the sandbox's clock. */
  readonly at: string;
  /** The presale action that sent it. */
  readonly actionUuid: string;
};

export type MessageFilter = {
  readonly to?: string | undefined;
  readonly actionUuid?: string | undefined;
  readonly subject?: string | undefined;
};

const COLLECTION = "mailbox";

export class Mailbox {
  readonly #store: Store;
  readonly #listeners = new Set<(message: Message) => void>();

  constructor(store: Store) {
    this.#store = store;
  }

  deliver(mail: Omit<Message, "id" | "at">, now: Instant): Message {
    const id = String(this.#store.next(COLLECTION));
    const message = { id, ...mail, at: new Date(now).toISOString() };
    this.#store.collection<Message>(COLLECTION).set(id, message);
    for (const listener of this.#listeners) listener(message);
    return message;
  }

  /** Oldest first. */
  messages(filter: MessageFilter = {}): readonly Message[] {
    const all = this.#store.collection<Message>(COLLECTION).all();
    return all.filter((message) => matches(message, filter));
  }

  clear(): void {
    this.#store.collection<Message>(COLLECTION).clear();
  }

  /** Calls `listener` for each mail from now on. Returns a function that ends it. */
  subscribe(listener: (message: Message) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

export function matches(message: Message, { to, actionUuid, subject }: MessageFilter): boolean {
  return (
    (to === undefined || message.to === to) &&
    (actionUuid === undefined || message.actionUuid === actionUuid) &&
    (subject === undefined || message.subject.includes(subject))
  );
}
