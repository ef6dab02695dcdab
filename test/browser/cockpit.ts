// A person before the dashboard in headless Chromium: a page of a sandbox with a frozen clock, clicks that are counted, and
// what must not happen anywhere, such as requests to elsewhere.

import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { createSandbox, type SandboxOptions } from "../../src/open/create-sandbox.ts";
import type { ListenOptions } from "../../src/server/server.ts";

const START = "2026-03-02T09:00:00.000Z";
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
const QUIET = ["--disable-component-update", "--disable-sync", "--no-first-run"];

/** Counts what a person clicks, and notes what the policy of the page has refused. */
const COUNTING = `
window.clicks = 0;
addEventListener("click", (event) => { if (event.isTrusted && event.detail > 0) window.clicks += 1; }, true);
document.addEventListener("securitypolicyviolation", (event) => console.log("policy " + event.violatedDirective));
`;

export type Seat = {
  readonly sandbox: Awaited<ReturnType<typeof createSandbox>>;
  readonly origin: string;
  readonly page: Page;
  readonly context: BrowserContext;
  /** What must not happen: dialogs, errors, broken policies, requests to elsewhere. */
  readonly wrongs: string[];
  /** Opens the dashboard, by default where it opens by itself, and waits until it is live. */
  open(search?: string): Promise<void>;
  /** How often was clicked since it was opened. */
  clicks(): Promise<number>;
  button(name: string): ReturnType<Page["getByRole"]>;
  link(name: string): ReturnType<Page["getByRole"]>;
  /** What was copied last. */
  copied(): Promise<string>;
};

/** For each test of a file a new context, and the one sandbox as it was at its start. */
export function seat(
  options: SandboxOptions = {},
  how: BrowserContextOptions = {},
  at?: ListenOptions,
): Seat {
  let sandbox: Seat["sandbox"];
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let origin = "";
  let wrongs: string[] = [];

  beforeAll(async () => {
    sandbox = await createSandbox({ clock: START, ...options });
    origin = (await sandbox.listen(at)).url;
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: [...FLAGS, ...QUIET] });
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.close();
  });
  beforeEach(async () => {
    for (const { id } of sandbox.worlds.list()) if (id !== "main") sandbox.worlds.remove(id);
    sandbox.rules.clear();
    sandbox.reset();
    wrongs = [];
    context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...how });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
    await context.addInitScript(COUNTING);
    page = await context.newPage();
    watch(page, origin, wrongs);
  });
  afterEach(async () => {
    await context?.close();
    expect(wrongs).toEqual([]);
  });

  return {
    get sandbox() {
      return sandbox;
    },
    get origin() {
      return origin;
    },
    get page() {
      return page;
    },
    get context() {
      return context;
    },
    get wrongs() {
      return wrongs;
    },
    async open(search = "") {
      await page.goto(`${origin}/_vitrine/${search}`);
      await page.locator(".connection.live").waitFor();
    },
    clicks: () => page.evaluate<number>("window.clicks"),
    button: (name) => page.getByRole("button", { name, exact: true }),
    link: (name) => page.getByRole("link", { name, exact: true }),
    copied: () => page.evaluate<string>("navigator.clipboard.readText()"),
  };
}

export function watch(page: Page, origin: string, wrongs: string[]): void {
  page.on("dialog", (dialog) => {
    wrongs.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", ({ message }) => wrongs.push(`error ${message}`));
  page.on("console", (entry) => {
    if (/policy|refused to/i.test(entry.text())) wrongs.push(entry.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith("blob:")) wrongs.push(`request ${url}`);
  });
}

export const EVENT = {
  name: "Lamp night",
  location: "Hall 2",
  eventDescription: "Two hundred lamps.",
  dates: ["2026-05-01"],
  price: 12,
};
export const LOGIN = { email: "ada@example.test", password: "Vitrine!2026" };
