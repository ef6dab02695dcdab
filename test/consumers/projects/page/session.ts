// One visit to all that there is: both services, every documented kind of answer, tokens, a code as PNG, and the control
// API beside them. Played wherever the sandbox runs, to compare what it answers there. Needs nothing but `fetch`.

export type Way = "museum" | "account" | "accountSandbox" | "control";

/** What is done with a path of a service, relative to its base address, or of the control API. */
export type Call = (way: Way, path: string, init: RequestInit) => Promise<Response>;

export type Reply = {
  readonly step: string;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Each byte a character. */
  readonly body: string;
};

/** Values of answers that later steps send. */
type Memory = Record<"event" | "ticket" | "token" | "preSale" | "action", string>;

type Step = {
  readonly step: string;
  readonly way: Way;
  /** `POST /tickets`; names in braces are taken from the memory. */
  readonly call: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** What of the answer's body is kept, by its name in the memory. */
  readonly keep?: Partial<Record<keyof Memory, (body: never) => string>>;
};

const BASIC = { authorization: `Basic ${btoa("guide:secret")}` };
const BEARER = { authorization: "Bearer {token}" };
const JSON_LD = { ...BEARER, accept: "application/ld+json" };
const ADA = { email: "ada@example.test", password: "Vitrine!2026" };
const EVENT = {
  name: "Night of the lamps – été",
  location: "Hall 2",
  eventDescription: "After dark",
  dates: ["2026-03-31"],
  price: 12.5,
};
const ACTION = {
  action_type: "alert_mail",
  target: "ops@example.test",
  message: "Few are left.",
  threshold: 10,
  enabled: true,
  pre_sale_uuid: "{preSale}",
};

const museum: readonly Step[] = [
  ["no credentials", "GET /special-events"],
  ["list", "GET /special-events?limit=3", BASIC],
  ["hours", "GET /museum-hours?startDate=2026-03-01", BASIC],
  ["create", "POST /special-events", BASIC, EVENT, { event: (body: { eventId: string }) => body.eventId }],
  ["get", "GET /special-events/{event}", BASIC],
  ["change", "PATCH /special-events/{event}", BASIC, { price: 20 }],
  ["broken JSON", "POST /special-events", BASIC, "{nope"],
  ["wrong fields", "POST /special-events", BASIC, { name: 3 }],
  ["wrong id", "GET /special-events/zzz", BASIC],
  [
    "ticket",
    "POST /tickets",
    BASIC,
    { ticketType: "event", eventId: "{event}", ticketDate: "2026-03-31", email: "ada@example.test" },
    { ticket: (body: { ticketId: string }) => body.ticketId },
  ],
  ["code", "GET /tickets/{ticket}/qr", BASIC],
  ["method", "PUT /special-events", BASIC],
  ["near miss", "GET /special-event", BASIC],
  ["remove", "DELETE /special-events/{event}", BASIC],
  ["gone", "GET /special-events/{event}", BASIC],
  ["head", "HEAD /special-events", BASIC],
  ["document", "GET /openapi.json"],
].map(toStep("museum"));

const account: readonly Step[] = [
  ["wrong password", "POST /login", {}, { ...ADA, password: "no" }],
  ["login", "POST /login", {}, ADA, { token: (body: { token: string }) => body.token }],
  ["throttled", "POST /login", {}, ADA],
  ["document", "GET /openapi.json"],
  ["entry", "GET /", { accept: "application/ld+json" }],
  ["vocabulary", "GET /docs.jsonld"],
  ["context", "GET /contexts/PreSale"],
  [
    "JSON",
    "GET /pre-sales",
    { ...BEARER, accept: "application/json" },
    undefined,
    { preSale: ([first]: readonly { uuid: string }[]) => first?.uuid ?? "" },
  ],
  ["JSON-LD", "GET /pre-sales", JSON_LD],
  ["page", "GET /pre-sales", { ...BEARER, accept: "text/html" }],
  ["consumptions", "GET /consumptions?year[]=2026&page=1", JSON_LD],
  ["action", "POST /pre-sale-actions", BEARER, ACTION, { action: (body: { uuid: string }) => body.uuid }],
  ["change", "PUT /pre-sale-actions/{action}", BEARER, { ...ACTION, threshold: 5 }],
  ["actions", "GET /pre-sale-actions", JSON_LD],
  ["violations", "POST /pre-sale-actions", BEARER, {}],
  ["nobody's token", "GET /pre-sales", { authorization: "Bearer not.a-token" }],
  ["remove", "DELETE /pre-sale-actions/{action}", BEARER],
].map(toStep("account"));

const later: readonly Step[] = [
  ...[["another environment", "GET /pre-sales", BEARER] as const].map(toStep("accountSandbox")),
  ...[
    ["keys", "GET /jwks/account"],
    ["token", "POST /tokens", {}, { kind: "valid" }],
    ["expired token", "POST /tokens", {}, { kind: "expired" }],
    ["scenario", "PUT /scenario", {}, { name: "presale-nearly-used-up" }],
    ["usage", "POST /usage", {}, { sent: 12 }],
    ["mailbox", "GET /mailbox"],
    ["clock", "POST /clock/advance", {}, { by: "24h" }],
    [
      "rule",
      "POST /rules",
      {},
      {
        id: "hours-closed",
        when: { operation: "museum.getMuseumHours", query: { startDate: { $regex: "^2026-0[1-6]" } } },
        limit: { times: 1 },
        then: { problem: "invalidInput" },
      },
    ],
  ].map(toStep("control")),
  ...[["expired", "GET /pre-sales", BEARER] as const].map(toStep("account")),
  ...[
    ["rule acts", "GET /museum-hours?startDate=2026-03-01", BASIC],
    ["rule is used up", "GET /museum-hours?startDate=2026-03-01", BASIC],
  ].map(toStep("museum")),
  ...[
    ["snapshot", "POST /snapshots", {}, { name: "later" }],
    ["world", "PUT /worlds/cart", {}, { from: "main" }],
    ["state", "GET /state"],
    ["journal", "GET /journal"],
    ["verify", "POST /journal/verify", {}, { operation: "museum.createSpecialEvent", status: 201 }],
    ["report", "GET /verify"],
    ["explain", "POST /explain", {}, { method: "GET", path: "/museum/v1.1/museum-hours" }],
    ["credentials", "GET /credentials"],
    ["settings", "GET /settings"],
    ["lint", "GET /lint"],
    ["coverage", "GET /coverage"],
    ["capsule", "GET /capsule"],
    ["har", "GET /har"],
    ["record", "GET /record"],
    ["presets", "GET /presets"],
    ["unknown verb", "GET /nope"],
    ["unknown preset", "PUT /scenario", {}, { name: "presale-nearly-used" }],
    ["reset", "POST /reset", {}, {}],
    ["state after reset", "GET /state"],
  ].map(toStep("control")),
];

const steps: readonly Step[] = [...museum, ...account, ...later];

type Row = readonly [
  step: string,
  call: string,
  headers?: Step["headers"],
  body?: unknown,
  keep?: NonNullable<Step["keep"]>,
];

function toStep(way: Way) {
  return (row: readonly unknown[]): Step => {
    const [step, call, headers = {}, body, keep = {}] = row as Row; // each is written as one, above
    return { step: `${way}: ${step}`, way, call, headers, body, keep };
  };
}

/** Plays all steps in order. */
export async function play(call: Call): Promise<readonly Reply[]> {
  const memory: Partial<Memory> = {};
  const replies: Reply[] = [];
  for (const { step, way, call: line, headers, body, keep = {} } of steps) {
    const [method = "", path = ""] = filled(line, memory).split(" ");
    const text = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
    const sent = new Headers(
      JSON.parse(filled(JSON.stringify(headers ?? {}), memory)) as Record<string, string>,
    );
    if (text !== undefined) sent.set("content-type", "application/json");
    if (!sent.has("accept")) sent.set("accept", "*/*"); // a page would say so by itself
    const init = { method, headers: sent, ...(text === undefined ? {} : { body: filled(text, memory) }) };
    const response = await call(way, path, init);
    const bytes = new Uint8Array(await response.arrayBuffer());
    replies.push({
      step,
      status: response.status,
      headers: [...response.headers].sort(([one], [other]) => (one < other ? -1 : 1)),
      body: withoutJournal(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")),
    });
    for (const [name, read] of Object.entries(keep))
      memory[name as keyof Memory] = read(JSON.parse(new TextDecoder().decode(bytes)) as never);
  }
  return replies;
}

/** Each start of a runtime has another journal. */
function withoutJournal(body: string): string {
  return body.replace(/"journal":"[^"]*"/, '"journal":"of this start"');
}

function filled(text: string, memory: Partial<Memory>): string {
  return text.replace(
    /\{(event|ticket|token|preSale|action)\}/g,
    (_whole, name: keyof Memory) => memory[name] ?? "",
  );
}
