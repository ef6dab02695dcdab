// One story through both services, played the same way every time: writes, refusals, a rule, passing time, mail. What it
// returns is every byte that came back, and everything that the sandbox remembers.

import { createHash } from "node:crypto";
import { toComparable } from "../../src/journal/recorded-exchange.ts";
import { createSandbox, type SandboxOptions } from "../../src/open/create-sandbox.ts";

type Sandbox = Awaited<ReturnType<typeof createSandbox>>;
export type Answer = {
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};
export type Told = {
  readonly answers: readonly Answer[];
  readonly journal: readonly unknown[];
  readonly mailbox: readonly unknown[];
  readonly digest: string;
};

export const STAGE: SandboxOptions = { clock: "2026-03-28T23:30:00Z", seed: 7 };

/** `fetch` takes an absolute URL: of the sandbox itself, or of the network. */
export async function tell(
  sandbox: Sandbox,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
): Promise<Told> {
  const answers: Answer[] = [];
  const say = async (line: string, body?: unknown, authorization?: string): Promise<unknown> => {
    const [method = "", environment = "", path = ""] = line.split(" ");
    const response = await fetch((sandbox.urls[environment] ?? "") + path, {
      method,
      headers: {
        authorization: authorization ?? sandbox.auth.basic("ada", "secret").authorization,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const origin = new URL(sandbox.urls["museum"] ?? "").origin;
    const text = bytes.toString("latin1").replaceAll(origin, "http://localhost");
    answers.push({
      line: `${line} ${response.status}`,
      headers: lasting(response.headers, origin),
      body: text,
    });
    return bytes.length > 0 && /json/.test(response.headers.get("content-type") ?? "")
      ? JSON.parse(bytes.toString("utf8"))
      : undefined;
  };
  await visitMuseum(say);
  await keepAccount(sandbox, say);
  const journal = sandbox.journal.list().map(toComparable);
  const mailbox = sandbox.mailbox.messages();
  const whole = JSON.stringify([answers, journal, mailbox]);
  return { answers, journal, mailbox, digest: createHash("sha256").update(whole).digest("hex") };
}

/** Plays the story in process on a new sandbox; for another process to print. */
export async function tellOnce(options: SandboxOptions = STAGE): Promise<Told> {
  const sandbox = await createSandbox(options);
  const told = await tell(sandbox, sandbox.fetch);
  await sandbox.close();
  return told;
}

type Say = (line: string, body?: unknown, authorization?: string) => Promise<unknown>;

async function visitMuseum(say: Say): Promise<void> {
  const event = {
    name: "Nuit",
    location: "Salle 2",
    eventDescription: "Après",
    dates: ["2026-03-29"],
    price: 2.5,
  };
  // What the service answers with is in the transcript; only ids are needed to go on.
  const created = (await say("POST museum /special-events", event)) as { eventId: string };
  await say(`PATCH museum /special-events/${created.eventId}`, { price: 0 });
  await say("GET museum /special-events?limit=30");
  await say("GET museum /museum-hours");
  await say("POST museum /special-events", { name: 1 });
  const ticket = {
    ticketType: "event",
    eventId: created.eventId,
    ticketDate: "2026-03-29",
    email: "a@example.test",
  };
  const { ticketId } = (await say("POST museum /tickets", ticket)) as { ticketId: string };
  await say(`GET museum /tickets/${ticketId}/qr`);
  await say(`DELETE museum /special-events/${created.eventId}`);
  await say(`HEAD museum /special-events/${created.eventId}`);
  await say("GET museum /openapi.json");
}

async function keepAccount(sandbox: Sandbox, say: Say): Promise<void> {
  for (const environment of ["account", "accountSandbox"] as const) {
    const [first] = sandbox.data[environment].identities.all();
    const login = { email: first?.["name"], password: first?.["password"] };
    const { token } = (await say(`POST ${environment} /login`, login, "")) as { token: string };
    const bearer = `Bearer ${token}`;
    await say(`POST ${environment} /login`, login, "");
    await say(`GET ${environment} /consumptions?page=1`, undefined, bearer);
    await say(`GET ${environment} /pre-sales`, undefined, bearer);
    const [preSale] = sandbox.data[environment].preSales.all();
    const action = {
      threshold: 1_000_000,
      action_type: "alert_mail",
      target: "ops@example.test",
      enabled: true,
      pre_sale_uuid: preSale?.["uuid"],
    };
    await say(`POST ${environment} /pre-sale-actions`, action, bearer);
    await say(`POST ${environment} /pre-sale-actions`, { ...action, target: "nobody" }, bearer);
    sandbox.usage.record({ sent: 2, received: 1, environment });
    await sandbox.clock.advance("24h");
    await say(`GET ${environment} /users/me`, undefined, bearer);
    await say(`POST ${environment} /login`, login, "");
  }
}

/** Headers without those of the connection, which the network adds. */
function lasting(headers: Headers, origin: string): Readonly<Record<string, string>> {
  const own = [...headers].filter(
    ([name]) => !["connection", "keep-alive", "transfer-encoding"].includes(name),
  );
  return Object.fromEntries(own.map(([name, value]) => [name, value.replaceAll(origin, "http://localhost")]));
}
