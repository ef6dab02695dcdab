// A little client of both services, as an application has one: it knows what became of each call, looks before it
// repeats a call whose answer was lost, and logs in again when its token has expired.

export type Addresses = { readonly museum: string; readonly account: string };
export type Event = {
  readonly name: string;
  readonly location: string;
  readonly eventDescription: string;
  readonly dates: readonly string[];
  readonly price: number;
};
export type Stored = Event & { readonly eventId: string };
export type PreSale = { readonly uuid: string };

/** What became of a call. Plain values, so that they can leave a page. */
export type Outcome<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "refused"; readonly status: number; readonly message: string }
  | { readonly kind: "missing" }
  | { readonly kind: "throttled"; readonly seconds: number }
  | { readonly kind: "unreachable" }
  | { readonly kind: "cancelled" };

export type Client = {
  listEvents(): Promise<Outcome<readonly Stored[]>>;
  addEvent(event: Event): Promise<Outcome<Stored>>;
  changePrice(eventId: string, price: number): Promise<Outcome<Stored>>;
  logIn(email: string, password: string): Promise<Outcome<null>>;
  listPreSales(): Promise<Outcome<readonly PreSale[]>>;
  alertBelow(threshold: number, preSale: PreSale): Promise<Outcome<{ readonly uuid: string }>>;
  /** Gives up on the calls under way. */
  cancel(): Promise<void>;
};

const GUIDE = `Basic ${btoa("guide:secret")}`;
const UNAUTHORIZED = 401;

export function createClient(
  { museum, account }: Addresses,
  send: typeof fetch = (url, init) => fetch(url, init),
): Client {
  let leaving = new AbortController();
  let credentials: { readonly email: string; readonly password: string } | undefined;
  let token = "";

  async function call<T>(
    url: string,
    authorization: string,
    method = "GET",
    body?: object,
  ): Promise<Outcome<T>> {
    const { signal } = leaving;
    const headers = {
      Authorization: authorization,
      Accept: "application/json",
      "Content-Type": "application/json",
    };
    try {
      const reply = await send(url, { method, headers, signal, ...(body && { body: JSON.stringify(body) }) });
      return outcomeOf<T>(reply, await reply.text());
    } catch {
      return { kind: signal.aborted ? "cancelled" : "unreachable" };
    }
  }

  /** With the token; when that has expired, once more with a new one. */
  async function asUser<T>(path: string, method?: string, body?: object): Promise<Outcome<T>> {
    const first = await call<T>(account + path, `Bearer ${token}`, method, body);
    if (first.kind !== "refused" || first.status !== UNAUTHORIZED || credentials === undefined) return first;
    const login = await client.logIn(credentials.email, credentials.password);
    return login.kind === "done" ? call<T>(account + path, `Bearer ${token}`, method, body) : login;
  }

  const client: Client = {
    listEvents: () => call(`${museum}/special-events`, GUIDE),
    async addEvent(event) {
      const outcome = await call<Stored>(`${museum}/special-events`, GUIDE, "POST", event);
      if (outcome.kind !== "unreachable") return outcome;
      const events = await client.listEvents(); // the answer was lost, but perhaps not the work
      const found = events.kind === "done" && events.value.find(({ name }) => name === event.name);
      return found ? { kind: "done", value: found } : outcome;
    },
    changePrice: (eventId, price) => call(`${museum}/special-events/${eventId}`, GUIDE, "PATCH", { price }),
    async logIn(email, password) {
      const outcome = await call<{ token: string }>(`${account}/login`, "", "POST", { email, password });
      if (outcome.kind !== "done") return outcome;
      credentials = { email, password };
      token = outcome.value.token;
      return { kind: "done", value: null };
    },
    listPreSales: () => asUser("/pre-sales"),
    alertBelow: (threshold, { uuid }) =>
      asUser("/pre-sale-actions", "POST", {
        threshold,
        action_type: "alert_mail",
        target: "ops@example.test",
        enabled: true,
        pre_sale_uuid: uuid,
      }),
    async cancel() {
      leaving.abort();
      leaving = new AbortController();
    },
  };
  return client;
}

function outcomeOf<T>({ ok, status, headers }: Response, text: string): Outcome<T> {
  if (ok) return { kind: "done", value: JSON.parse(text) };
  if (status === 404) return { kind: "missing" };
  if (status === 429) return { kind: "throttled", seconds: Number(headers.get("Retry-After")) };
  return { kind: "refused", status, message: text };
}
