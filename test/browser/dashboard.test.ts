// The dashboard in headless Chromium: what its buttons do, and that hostile strings stay text wherever they are shown.

import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createSandbox } from "../../src/vitrine.ts";
import { MARKUP, NAUGHTY } from "./hostile-strings.ts";

const START = "2026-03-02T09:00:00.000Z";
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
const QUIET = ["--disable-component-update", "--disable-sync", "--no-first-run"];

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

let sandbox: Awaited<ReturnType<typeof createSandbox>>;
let browser: Browser;
let page: Page;
let origin: string;
/** What must not happen: dialogs, errors, broken policies, requests to elsewhere. */
let wrongs: string[];

beforeAll(async () => {
  sandbox = await createSandbox({ clock: START });
  origin = (await sandbox.listen()).url;
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: [...FLAGS, ...QUIET] });
});
afterAll(async () => {
  await browser?.close();
  await sandbox?.close();
});
beforeEach(async () => {
  sandbox.reset();
  wrongs = [];
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(10_000);
  page.on("dialog", (dialog) => {
    wrongs.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", ({ message }) => wrongs.push(`error ${message}`));
  page.on("console", (entry) => {
    if (/policy|refused to/i.test(entry.text())) wrongs.push(entry.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`)) wrongs.push(`request ${request.url()}`);
  });
  await page.goto(`${origin}/_vitrine/`);
  await page.getByText("documented answers met").waitFor();
});
afterEach(async () => {
  await page?.close();
  expect(wrongs).toEqual([]);
});

const login = { body: { email: "ada@example.test", password: "Vitrine!2026" } };
const row = (seq: number) => page.locator(`#exchange-${seq}`);
const click = (name: string) => page.getByRole("button", { name, exact: true }).click();

describe("who sits before it", () => {
  test("moves, frees and stops the clock", async () => {
    await click("+ 24 h");
    await page.getByText("2026-03-03 09:00:00").waitFor();
    await click("+ 1 h");
    await page.getByText("2026-03-03 10:00:00").waitFor();
    expect(sandbox.state().clock).toEqual({ now: "2026-03-03T10:00:00.000Z", mode: "frozen" });
    await click("Resume");
    await page.getByText("ticking", { exact: true }).waitFor();
    expect(sandbox.state().clock.mode).toBe("ticking");
    await click("Freeze");
    await page.getByText("frozen", { exact: true }).waitFor();
    expect(sandbox.state().clock.mode).toBe("frozen");
  });

  test("chooses a preset, which changes an answer, and removes its rule again", async () => {
    await page.getByLabel("Preset").selectOption("login-refused");
    await click("Apply");
    await page.locator("#scenario-name").getByText("login-refused").waitFor();
    expect((await sandbox.account.login(login)).status).toBe(401);
    await page.getByText("scenario, matched 1, acted 1").waitFor();
    await click("Remove the rule refused");
    await page.getByText("No rules").waitFor();
    expect(sandbox.rules.list()).toEqual([]);
    expect((await sandbox.account.login(login)).status).toBe(200);
  });

  test("puts one preset on top of another, and ends both", async () => {
    await page.getByLabel("Preset").selectOption("login-refused");
    await click("Apply");
    await page.locator("#scenario-name").getByText("login-refused").waitFor();
    await page.getByLabel("Preset").selectOption("museum-empty");
    await click("Add on top");
    await page.locator("#scenario-name").getByText("login-refused + museum-empty").waitFor();
    expect((await sandbox.account.login(login)).status).toBe(401);
    expect((await sandbox.museum.listSpecialEvents()).body).toEqual([]);
    await click("Off");
    await page.getByText("No rules").waitFor();
    expect((await sandbox.account.login(login)).status).toBe(200);
    expect((await sandbox.museum.listSpecialEvents()).body).not.toEqual([]);
  });

  test("ends a scenario: the page says default, and it is", async () => {
    const { clock, collections } = sandbox.state();
    await page.getByLabel("Preset").selectOption("leap-day");
    await click("Apply");
    await page.getByText("2028-02-28 12:00:00").waitFor();
    await click("Off");
    await page.locator("#scenario-name").getByText("default").waitFor();
    await page.getByText("2026-03-02 09:00:00").waitFor();
    expect(sandbox.state()).toMatchObject({ clock, collections });
  });

  test("sees an exchange as it ends, and opens it", async () => {
    await page.getByText("Nothing yet").waitFor();
    await sandbox.museum.createSpecialEvent({
      body: {
        name: "Night",
        location: "Hall",
        eventDescription: "At night.",
        dates: ["2026-05-01"],
        price: 12,
      },
    });
    await row(1).locator("summary").focus();
    await page.keyboard.press("Enter");
    const opened = (await row(1).locator(".opened").textContent()) ?? "";
    expect(opened).toContain("POST /museum/v1.1/special-events\n");
    expect(opened).toContain('"name": "Night"');
    expect(opened).toContain("created museum/specialEvents");
    expect(opened).toContain("authorization: Basic [redacted");
    await sandbox.museum.getMuseumHours();
    await row(2).waitFor();
    expect(await page.locator("#exchanges summary").first().textContent()).toContain("museum.getMuseumHours");
  });

  test("is told that a lost answer was never sent, how much of a cut one was, and that a client left", async () => {
    sandbox.use({ when: { operation: "museum.getMuseumHours" }, at: "response", then: { fault: "reset" } });
    sandbox.use({ when: { operation: "museum.listSpecialEvents" }, then: { fault: "truncate" } });
    await expect(sandbox.museum.getMuseumHours()).rejects.toThrow();
    await expect(sandbox.museum.listSpecialEvents()).rejects.toThrow();
    await row(2).waitFor();
    expect(await row(1).locator("summary").textContent()).toMatch(/^#1reset/);
    await row(1).locator("summary").click();
    await row(1).getByText("The work was done: 200 was made, and never sent.").waitFor();
    expect(await row(1).locator(".opened").textContent()).not.toContain("date: ");
    const { sent } = sandbox.journal.last ?? {};
    await row(2).locator("summary").click();
    await row(2).getByText(`${sent?.bytes} of ${sent?.of} bytes of the body left.`).waitFor();

    sandbox.use({ when: { operation: "account.login" }, then: { hold: "gate" } });
    const leaving = new AbortController();
    const init = { method: "POST", headers: { "content-type": "application/json" }, signal: leaving.signal };
    const left = fetch(`${origin}/account/login`, { ...init, body: JSON.stringify(login.body) });
    await sandbox.gates.arrived("gate");
    leaving.abort();
    await expect(left).rejects.toThrow();
    await row(3).locator("summary").click();
    await row(3).getByText("No answer was sent: the client had left.").waitFor();
  });

  test("filters the journal by a text in the address or in a body", async () => {
    await sandbox.museum.listSpecialEvents({ query: { limit: 3 } });
    await sandbox.museum.getMuseumHours();
    await row(2).waitFor();
    await page.getByLabel("Text").fill("LIMIT=3");
    await page.keyboard.press("Enter");
    await row(2).waitFor({ state: "detached" });
    await sandbox.museum.listSpecialEvents({ query: { limit: 3, page: 2 } });
    await row(3).waitFor();
    expect(await page.locator("#exchanges > li").count()).toBe(2);
  });

  test("filters the journal by operation and status", async () => {
    await sandbox.museum.getMuseumHours();
    await sandbox.museum.getSpecialEvent({ params: { eventId: "none" } });
    await row(2).waitFor();
    await page.getByLabel("Operation").selectOption("museum.getMuseumHours");
    await row(2).waitFor({ state: "detached" });
    await sandbox.museum.getMuseumHours();
    await row(3).waitFor();
    await sandbox.museum.listSpecialEvents();
    await page.getByLabel("Status").selectOption("401");
    await page.getByText("Nothing yet").waitFor();
    sandbox.use({ when: { operation: "museum.getMuseumHours" }, then: { respond: { status: 599 } } });
    await sandbox.museum.getMuseumHours();
    await page.getByLabel("Status").selectOption("599");
    await row(5).waitFor();
  });

  test("lets go who waits at a gate", async () => {
    sandbox.use({ when: { operation: "museum.getMuseumHours" }, then: { hold: "checkout" } });
    const reply = sandbox.museum.getMuseumHours();
    await click("Release exchange 1 from checkout");
    expect((await reply).status).toBe(200);
    await row(1).waitFor();
  });

  test("reads a mail, a table and a habit, and resets it all", async () => {
    await sandbox.scenario("presale-nearly-used-up");
    await sandbox.usage.record({ sent: 100, received: 0 });
    await sandbox.museum.listSpecialEvents();
    await page.locator("#mails summary").click();
    await page.locator("#mails pre").getByText("Credit left").waitFor();
    await page.getByLabel("Collection").selectOption("account/preSales");
    await page.getByText("in account/preSales.").waitFor();
    expect(await page.locator("#entities tbody tr").count()).toBe(sandbox.data.account.preSales.all().length);
    await page.getByText("Reads one page of a collection that has more").waitFor();
    await click("Reset");
    await page.getByText("Nothing yet").waitFor();
    await page.getByText("No mail was sent.").waitFor();
    expect(sandbox.state()).toMatchObject({ exchanges: 0, mails: 0, clock: { now: START } });
  });

  test("makes a world from this one, which then goes its own way, and ends it", async () => {
    await page.getByLabel("New world").fill("cart");
    await click("Fork");
    await page.waitForURL(`${origin}/~cart/_vitrine/`);
    await page.getByText("documented answers met").waitFor();
    await page.getByLabel("Preset").selectOption("login-refused");
    await click("Apply");
    await page.locator("#scenario-name").getByText("login-refused").waitFor();
    await click("+ 24 h");
    await page.getByText("2026-03-03 09:00:00").waitFor();
    const post = { method: "POST", headers: { "content-type": "application/json" } };
    const enter = (base: string) =>
      fetch(`${origin}${base}/login`, { ...post, body: JSON.stringify(login.body) });
    expect((await enter("/~cart/account")).status).toBe(401);
    expect((await enter("/account")).status).toBe(200);
    await row(1).getByText("401").waitFor();
    expect(await page.locator("#exchanges summary").count()).toBe(1);
    await page.getByRole("link", { name: "main", exact: true }).click();
    await page.getByText("2026-03-02 09:00:00").waitFor();
    await row(1).getByText("200").waitFor();
    await page.getByRole("link", { name: "cart", exact: true }).click();
    await click("End this world");
    await page.waitForURL(`${origin}/_vitrine/`);
    expect(sandbox.worlds.list().map(({ id }) => id)).toEqual(["main"]);
  });

  test("is told what cannot be done", async () => {
    await page.getByLabel("New world").fill("no/name");
    await click("Fork");
    await page.getByRole("status").getByText('"no/name" is not a valid world name').waitFor();
  });
});

test.each([320, 600, 900, 1600])("nothing is cut at a width of %i", async (width) => {
  await sandbox.museum.listSpecialEvents({ query: { startDate: "2026-03-02" } });
  await row(1).locator("summary").click();
  await page.setViewportSize({ width, height: 800 });
  const beyond = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
  expect(beyond).toBeLessThanOrEqual(0);
});

test("no secret of a client comes into the page", async () => {
  const canary = (place: string) => `canary-${place}-5e84c1`;
  await sandbox.fetch(`/account/login?api_key=${canary("query")}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${canary("bearer")}`,
      cookie: `session=${canary("cookie")}`,
      "x-api-key": canary("key"),
    },
    body: JSON.stringify({ email: "ada@example.test", password: canary("password") }),
  });
  const { token } = (await sandbox.account.login(login)).body as { token: string }; // the throttle is new
  await sandbox.museum.listSpecialEvents({ headers: sandbox.auth.basic("ada", canary("basic")) });
  await row(3).waitFor();
  await page.evaluate(OPEN_ALL);
  const text = await page.evaluate<string>("document.documentElement.outerHTML");
  expect(text).toContain("[redacted ");
  expect(text).not.toMatch(/canary-/);
  expect(text).not.toContain(token);
  expect(text).not.toContain(btoa(`ada:${canary("basic")}`));
});

test("hostile strings are text wherever they stand", async () => {
  const elements = "[...new Set([...document.querySelectorAll('*')].map((one) => one.localName))].sort()";
  await page.evaluate(`document.addEventListener("securitypolicyviolation", (event) => {
    console.log("policy " + event.violatedDirective);
  })`);
  await sandbox.museum.createSpecialEvent({
    body: { name: "Tame", location: "Hall", eventDescription: "Tame.", dates: ["2026-05-01"], price: 1 },
  });
  sandbox.use({ id: "tame", when: { path: "/never" }, then: { respond: { status: 503 } } });
  deliver("Tame");
  await row(1).waitFor();
  await page.locator("#mails summary").waitFor();
  await page.evaluate(OPEN_ALL);
  const before = (await page.evaluate(elements)) as string[];

  const strings = [...MARKUP, ...NAUGHTY];
  const [event] = sandbox.data.museum.specialEvents.all();
  if (event === undefined) throw new Error("There is no event.");
  sandbox.data.museum.specialEvents.replace(
    strings.map((name, index) => ({ ...event, eventId: uuid(index), name, eventDescription: name })),
  );
  for (const text of strings) deliver(text);
  for (const body of MARKUP)
    sandbox.use({ when: { path: "/never" }, then: { respond: { status: 503, body } } });
  for (const text of strings) await attack(text);
  for (const text of MARKUP) await attack(text, `/${encodeURIComponent(text)}/${text}`);
  await sandbox.museum.listSpecialEvents({ query: { limit: 100 } });
  await row(2 + strings.length + MARKUP.length).waitFor();
  await page.getByText(`${strings.length} in museum/specialEvents`).waitFor();
  await page.waitForFunction(
    `document.querySelectorAll("#mails summary").length === ${Math.min(100, strings.length + 1)}`,
  );
  await page.waitForFunction(`document.querySelectorAll("#rules summary").length === ${MARKUP.length + 1}`);
  await page.evaluate(OPEN_ALL);

  const shown = (selector: string) =>
    page.evaluate(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.textContent)`,
    );
  const visible = strings.map(withoutControls);
  expect(await shown("#entities td:nth-child(2)")).toEqual(visible);
  expect(new Set((await shown("#mails strong")) as string[])).toEqual(
    new Set(["Tame", ...visible].slice(-100)),
  );
  const rules = ((await shown("#rules pre")) as string[]).join("\n");
  for (const text of MARKUP) expect(rules).toContain(JSON.stringify(text));
  const journal = ((await shown("#exchanges pre")) as string[]).join("\n");
  for (const text of MARKUP) expect(journal.includes(JSON.stringify(text)), text).toBe(true);

  expect(await page.evaluate(elements)).toEqual(before);
  expect(await page.evaluate("document.scripts.length")).toBe(1);
  expect(
    await page.evaluate(
      "[...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames()).filter((name) => /^on|^style$|^src$/.test(name))",
    ),
  ).toEqual(["src", "src"]);
  expect(await page.evaluate("window.hacked")).toBeUndefined();
});

const OPEN_ALL = `new Promise((resolve) => {
  for (const one of document.querySelectorAll("details")) one.open = true;
  requestAnimationFrame(() => setTimeout(resolve, 0));
})`;

function deliver(text: string): void {
  const mail = { environment: "account", to: text, subject: text, text, html: text, actionUuid: uuid(0) };
  sandbox.mailbox.deliver(mail, sandbox.clock.now());
}

/** One string in query, header name, header value and body of a request. */
async function attack(text: string, path = "/special-events"): Promise<void> {
  const name = `x-${text.replace(/[^A-Za-z0-9!#$%&'*+.^_`|~-]/g, "")}`;
  const value = /^[\t\x20-\x7e\x80-\xff]*$/.test(text) ? text : encodeURIComponent(text);
  const part = encodeURIComponent(text);
  await sandbox.fetch(`/museum/v1.1${path}?${part}=${part}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...sandbox.auth.basic(), [name]: value },
    body: JSON.stringify({ name: text, [text]: text }),
  });
}

function uuid(index: number): string {
  return `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
}

/** As the page shows what would be invisible, or would turn the order of what follows. */
function withoutControls(text: string): string {
  return text.replace(
    /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
