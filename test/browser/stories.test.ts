// What people come to the dashboard for, in at most so many clicks, which the page counts.

import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../../src/open/create-sandbox.ts";
import { EVENT, LOGIN, seat } from "./cockpit.ts";

const at = seat();

/** A create that the museum refuses, and one that it takes: #1 and #2. */
async function twoCreates() {
  const { price: _price, ...free } = EVENT;
  const refused = await at.sandbox.fetch("/museum/v1.1/special-events", {
    method: "POST",
    headers: { ...at.sandbox.auth.basic("guide", "secret"), "content-type": "application/json" },
    body: JSON.stringify(free),
  });
  expect(refused.status).toBe(400);
  await at.sandbox.museum.createSpecialEvent({ body: EVENT });
}

const row = (seq: number) => at.page.locator(`#exchange-${seq} > a`);

async function within(most: number): Promise<void> {
  expect(await at.clicks()).toBeLessThanOrEqual(most);
}

describe("a user with this number of clicks", () => {
  test("2: finds why a request failed", async () => {
    await twoCreates();
    await at.open();
    await row(1).click();
    await at.page.getByText("400 invalidInput: The input is not valid.").waitFor();
    await at.page.getByRole("row", { name: "price is required" }).waitFor();
    await within(2);
  });

  test("3: makes the next create fail, and the client meets it once", async () => {
    await at.open();
    await at.page.locator(".pages").getByText("Misbehave").click();
    const operation = at.page.locator(".operations > li", { hasText: "createPreSaleAction" });
    await operation.getByRole("link", { name: "422 invalidAction" }).click();
    await at.button("Next time").click();
    await at.page.getByText("account.createPreSaleAction answers invalidAction, once").waitFor();
    await within(3);
    const [preSale] = at.sandbox.data.account.preSales.all();
    const body = {
      ...{ threshold: 5, target: "ops@example.test", enabled: true },
      action_type: "alert_mail",
      pre_sale_uuid: String(preSale?.uuid),
    } as const;
    const create = async () => (await at.sandbox.account.createPreSaleAction({ body })).status;
    expect(await create()).toBe(422);
    await at.page.getByText("acted 1 of 1 matched").waitFor();
    expect(at.sandbox.rules.list().map(({ acted }) => acted)).toEqual([1]);
    expect(await create()).toBe(201);
  });

  test("2 and 2: switches a preset on and off", async () => {
    await at.open();
    await at.page.locator(".pages").getByText("Misbehave").click();
    await at.page.getByRole("switch", { name: "login-refused", exact: true }).click();
    await at.page.locator(".menu-scenario summary").getByText("login-refused").waitFor();
    await within(2);
    expect((await at.sandbox.account.login({ body: LOGIN })).status).toBe(401);
    await at.page.getByRole("switch", { name: "login-refused", exact: true }).click();
    await at.page.locator(".menu-scenario summary").getByText("none").waitFor();
    await within(4);
    expect((await at.sandbox.account.login({ body: LOGIN })).status).toBe(200);
  });

  test("3: moves the clock, and reads when a token expires", async () => {
    await at.sandbox.account.login({ body: LOGIN });
    await at.open();
    await at.page.getByRole("link", { name: /^Time/ }).click();
    await at.button("+ 1 h").last().click();
    await at.page.getByText("23:00:00", { exact: true }).waitFor();
    await within(3);
    expect(at.sandbox.state().clock.now).toBe("2026-03-02T10:00:00.000Z");
  });

  test("3: makes a world, and copies its address", async () => {
    await at.open();
    await at.page.locator(".menu-worlds summary").click();
    await at.button("New world").click();
    await at.page.waitForURL(`${at.origin}/~w1/_vitrine/**`);
    await at.page.locator(".bar .address").getByText("/~w1").waitFor();
    await at.button("Copy the address of this world").click();
    await at.page.getByText("Copied the address.").waitFor();
    await within(3);
    expect(await at.copied()).toBe(`${at.origin}/~w1`);
    expect(at.sandbox.worlds.list().map(({ id }) => id)).toEqual(["main", "w1"]);
  });

  test("2: copies a request as a test, which then gets the same answer, and as a command with its secret left out", async () => {
    await twoCreates();
    await at.open();
    await row(1).click();
    await at.button("Copy as test").click();
    await at.page.getByText("Copied #1 as test.").waitFor();
    await within(2);
    const run = new Function("sandbox", "test", "expect", `return ${await at.copied()}`);
    at.sandbox.journal.clear();
    type Body = (fixtures: object) => Promise<void>;
    await run(at.sandbox, (_name: string, body: Body) => body({ sandbox: at.sandbox }), expect);
    expect(at.sandbox.journal.count({ status: 400, user: "guide" })).toBe(1);
    await at.button("Copy as curl").click();
    await at.page.getByText("Copied #1 as curl.").waitFor();
    expect(await at.copied()).toContain("authorization: Basic '\"${SECRET_1:?");
  });

  test("2: learns why a request with a wrong password is not sent again", async () => {
    const body = JSON.stringify({ ...LOGIN, password: "wrong" });
    const headers = { "content-type": "application/json" };
    await at.sandbox.fetch("/account/login", { method: "POST", headers, body });
    await at.open();
    await row(1).click();
    await at.button("Send again").click();
    await at.page.getByText("The journal redacts the credential").waitFor();
    expect(at.sandbox.journal.count()).toBe(1);
  });

  test("1: sees nothing but failures, also those that got no answer", async () => {
    await twoCreates();
    at.sandbox.use({ when: { operation: "museum.getMuseumHours" }, then: { fault: "reset" } });
    await expect(at.sandbox.museum.getMuseumHours()).rejects.toThrow();
    await at.open();
    await row(2).waitFor();
    await at.link("Failed").click();
    await row(2).waitFor({ state: "detached" });
    expect(await at.page.locator(".rows .row").count()).toBe(2);
    await within(1);
    await at.page.reload();
    await row(3).waitFor();
    expect(await at.page.locator(".rows .row").count()).toBe(2);
  });

  test("2: sends a request again with credentials of the sandbox, and sees the result", async () => {
    await twoCreates();
    const before = at.sandbox.data.museum.specialEvents.all().length;
    await at.open();
    await row(2).click();
    await at.button("Send again").click();
    await at.page.getByRole("heading", { name: "#3 201 POST" }).waitFor();
    await within(2);
    expect(at.sandbox.journal.last).toMatchObject({
      seq: 3,
      status: 201,
      requestText: JSON.stringify(EVENT),
    });
    expect(at.sandbox.data.museum.specialEvents.all()).toHaveLength(before + 1);
  });

  test("2: sends a request of the account again, in another world and as the same user", async () => {
    const world = at.sandbox.fork("cart");
    await world.account.listPreSales();
    await at.page.goto(`${at.origin}/~cart/_vitrine/?page=requests`);
    await row(1).click();
    await at.button("Send again").click();
    await at.page.getByRole("heading", { name: /^#2 200 GET/ }).waitFor();
    const [first, second] = world.journal.list();
    expect([second?.user, second?.status, second?.path]).toEqual([first?.user, 200, "/pre-sales"]);
    expect(at.sandbox.journal.list()).toEqual([]);
  });

  test("2: learns why a request of a separate port is not sent again", async () => {
    await using sandbox = await createSandbox();
    const { url, urls } = await sandbox.listen({ port: 0, ownPorts: true });
    await fetch(`${urls.museum}/museum-hours`, { headers: sandbox.auth.basic() });
    const page = (await at.page.context().browser()?.newPage()) ?? expect.unreachable();
    await page.goto(`${url}/_vitrine/?page=requests`);
    await page.locator("#exchange-1 a").click();
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByText("This page cannot call that port. Use curl.").waitFor();
    await page.close();
    expect(sandbox.journal.count()).toBe(1);
  });

  test("2: sends a request again whose answer is lost once more", async () => {
    at.sandbox.use({
      when: { operation: "museum.getMuseumHours" },
      at: "response",
      then: { fault: "reset" },
    });
    await expect(at.sandbox.museum.getMuseumHours()).rejects.toThrow();
    await at.open();
    await row(1).click();
    await at.button("Send again").click();
    await at.page.getByRole("heading", { name: /^#2 reset GET/ }).waitFor();
    await at.page.getByText("No response: the connection broke (reset).").waitFor();
  });

  test("3: compares two exchanges", async () => {
    await twoCreates();
    await at.open();
    await row(1).click();
    await at.button("Compare").click();
    await row(2).click();
    await at.page.getByRole("row", { name: "status 400 201" }).waitFor();
    await at.page.getByRole("row", { name: "request.price – 12" }).waitFor();
    await within(3);
  });

  test("0: finds addresses and credentials", async () => {
    await at.open();
    await at.page.getByText(`${at.origin}/museum/v1.1`, { exact: true }).waitFor();
    for (const { user, password } of at.sandbox.catalogue.credentials()) {
      await at.page.locator("table.credentials").getByText(user, { exact: true }).waitFor();
      await at.page.locator("table.credentials").getByText(password, { exact: true }).first().waitFor();
    }
    await within(0);
  });

  test.each([
    ["HAR", "vitrine-main.har"],
    ["Capsule", "vitrine-main.capsule.json"],
  ])("2: saves the listed exchanges as %s", async (name, file) => {
    await twoCreates();
    await at.open("?page=requests&filter=status:400");
    const saving = at.page.waitForEvent("download");
    await at.button(name).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe(file);
    const text = await readFile(await saved.path(), "utf8");
    expect(text).toContain('"status":400');
    expect(text).not.toContain('"status":201');
    await within(2);
  });
});

describe("a user with only a keyboard", () => {
  test("completes a filter: the arrows choose, Enter takes, Escape closes the list and nothing else", async () => {
    await twoCreates();
    await at.open();
    await row(2).waitFor();
    await at.page.keyboard.press("/");
    await at.page.keyboard.type("op");
    await at.page.getByRole("option", { name: "operation:" }).waitFor();
    await at.page.keyboard.press("ArrowDown");
    await at.page.keyboard.press("Enter");
    await at.page.keyboard.type("hours");
    const field = at.page.getByRole("combobox", { name: "Filter" });
    await at.page.getByRole("option", { name: "museum.getMuseumHours" }).waitFor();
    expect(await field.getAttribute("aria-activedescendant")).toBeNull();
    await at.page.keyboard.press("ArrowDown");
    const chosen = at.page.getByRole("option", { selected: true });
    await expect.poll(() => chosen.textContent()).toContain("museum.getMuseumHours");
    expect(await field.getAttribute("aria-activedescendant")).toBe(await chosen.getAttribute("id"));
    await at.page.keyboard.press("Tab");
    await at.page.getByText("No exchange matches.").waitFor();
    expect(await field.inputValue()).toBe("operation:museum.getMuseumHours ");
    expect(await field.getAttribute("aria-expanded")).toBe("true");
    await at.page.keyboard.press("Escape");
    await at.page.getByRole("listbox").waitFor({ state: "detached" });
    expect(await at.page.evaluate("document.activeElement.id")).toBe("filter");
    await within(0);
  });

  test("forces a response with at most 15 keys, and the focus moves to what opens and back", async () => {
    await at.open("?page=requests");
    let pressed = 0;
    const press = async (...keys: string[]) => {
      for (const key of keys) await at.page.keyboard.press(key);
      pressed += keys.length;
    };
    const focused = () => at.page.evaluate<string>("document.activeElement.textContent");
    await press("g", "m");
    await at.page.getByRole("searchbox", { name: "Find a response" }).waitFor();
    await press("/", ..."cre 400", "Enter");
    await at.page.getByRole("heading", { name: "createSpecialEvent → 400" }).waitFor();
    await expect.poll(focused).toBe("Next time");
    await press("Enter");
    await at.page.getByText(/createSpecialEvent answers \w+, once/).waitFor();
    expect(pressed).toBeLessThanOrEqual(15);
    expect((await at.sandbox.museum.createSpecialEvent({ body: EVENT })).status).toBe(400);
    await press("Escape");
    await expect.poll(() => at.page.evaluate("document.activeElement.id")).toBe("answers");
  });

  test("opens a request and closes it again, and the focus is where it was", async () => {
    await twoCreates();
    await at.open();
    await row(2).waitFor();
    await at.page.keyboard.press("j");
    await at.page.keyboard.press("Enter");
    await expect.poll(() => at.page.evaluate("document.activeElement.className")).toBe("detail");
    await at.page.keyboard.press("3");
    await at.page.locator(".tabs [aria-current]", { hasText: "Response" }).waitFor();
    await at.page.keyboard.press("Escape");
    const focused = () => at.page.evaluate("document.activeElement.parentElement.id");
    await expect.poll(focused).toBe("exchange-2");
  });
});

test("an error in the form for a forced response is shown at its field, for example 0 times", async () => {
  await at.open("?page=misbehave&force=museum.createSpecialEvent/invalidInput");
  await at.page.getByLabel("How many times").fill("0");
  await at.button("Next").click();
  await at.page.getByRole("alert").getByText("times must be at least 1, not 0.").waitFor();
  expect(await at.page.getByLabel("How many times").getAttribute("aria-invalid")).toBe("true");
  await at.page.getByLabel("How many times").fill("2");
  await at.button("Next").click();
  await at.page.getByText("answers invalidInput, 2 times").waitFor();
});

describe("the editor of a rule", () => {
  test("underlines each error at its position, and does not save an invalid rule", async () => {
    at.sandbox.use({ id: "mine", then: { delay: "1ms" } });
    await at.open("?page=misbehave");
    await at.button("Edit mine").click();
    const field = at.page.getByLabel("The rule mine as JSON");
    const marked = () => at.page.locator(".editor mark").allTextContents();
    await field.fill(
      '{\n  "when": { "operation": "museum.getMuseumHour" },\n  "then": { "respond": { "status": 99 } }\n}',
    );
    await at.page.getByText('2:26 Unknown operation "museum.getMuseumHour". Did you mean').waitFor();
    await at.page.getByText("3:36 status must be at least 200, not 99.").waitFor();
    expect(await marked()).toEqual(['"museum.getMuseumHour"', "99"]);
    expect(await at.button("Save").isDisabled()).toBe(true);
    await field.fill('{\n  "then": { "delay": "2ms" }}}');
    await at.page.getByText("2:30 This is not valid JSON.").waitFor();
    expect(await marked()).toEqual(["}"]);
    await field.fill('{ "then": { "delay": "2ms" } }');
    await at.page.locator(".editor mark").waitFor({ state: "detached" });
    await at.button("Save").click();
    await at.page.locator(".editor").waitFor({ state: "detached" });
    expect(at.sandbox.rules.list()).toMatchObject([{ id: "mine", rule: { then: { delay: "2ms" } } }]);
  });
});

describe("one click on Undo reverts only", () => {
  const undo = async () => {
    await at.button("Undo").last().waitFor();
    const offered = await at.button("Undo").count();
    await at.button("Undo").last().click();
    await at.page.getByText("Undone.").waitFor();
    await expect.poll(() => at.button("Undo").count()).toBe(offered - 1); // once
  };
  const events = () => at.sandbox.data.museum.specialEvents.all().length;
  const rules = () =>
    at.sandbox.rules.list().map(({ id, rule, enabled }) => ({ id, delay: rule.then?.delay, enabled }));
  const press = (name: string) => at.button(name).click();

  const edit = async () => {
    await press("Edit b");
    await at.page.getByLabel("The rule b as JSON").fill('{ "then": { "delay": "2ms" } }');
    await press("Save");
    await at.page.locator(".editor").waitFor({ state: "detached" });
  };

  test.each([
    ["removed", () => press("Remove the rule b")],
    ["edited", edit],
    ["moved", () => press("Ask b later")],
    ["switched off", () => at.page.getByRole("switch", { name: "Rule b" }).click()],
  ])("a rule that was %s, at its place", async (_how, change) => {
    for (const id of ["c", "b", "a"])
      at.sandbox.use({ id, when: { path: "/never" }, then: { delay: "1ms" } });
    await at.open("?page=misbehave");
    const before = rules();
    await change();
    await expect.poll(rules).not.toEqual(before);
    await at.sandbox.museum.createSpecialEvent({ body: EVENT });
    const [count, requests] = [events(), at.sandbox.journal.count()];
    await undo();
    expect(rules()).toEqual(before);
    expect([events(), at.sandbox.journal.count()]).toEqual([count, requests]);
  });

  test("a rule that was added", async () => {
    await at.open("?page=misbehave&force=account.login/tokenMissing");
    await press("Next time");
    await undo();
    expect(at.sandbox.rules.list()).toEqual([]);
  });

  test.each([
    ["moved", "+ 1 h"],
    ["set running", "Resume"],
  ])("a clock that was %s, and no data", async (_how, name) => {
    await at.open("?page=time");
    await at.button(name).last().click();
    await at.button("Undo").waitFor();
    const before = events();
    await at.sandbox.museum.createSpecialEvent({ body: EVENT });
    await undo();
    expect(at.sandbox.state().clock).toEqual({ now: "2026-03-02T09:00:00.000Z", mode: "frozen" });
    expect(events()).toBe(before + 1);
  });

  test("a snapshot that was taken", async () => {
    await at.open("?page=data");
    await press("Take");
    await undo();
    expect(at.sandbox.snapshots.list()).toEqual([]);
  });

  test("a preset that was turned off, and no data", async () => {
    await at.open("?page=misbehave");
    const toggle = () => at.page.getByRole("switch", { name: "slow-network", exact: true }).click();
    await toggle();
    await at.page.getByText("slow-network turned on.").waitFor();
    const before = events();
    await at.sandbox.museum.createSpecialEvent({ body: EVENT });
    await at.sandbox.account.login({ body: LOGIN });
    await toggle();
    await at.page.getByText('The rules and settings of "slow-network" are removed.').waitFor();
    expect([events(), at.sandbox.auth.tokens().length]).toEqual([before + 1, 1]);
    await undo();
    expect(at.sandbox.currentScenario().name).toBe("slow-network");
    expect(events()).toBe(before + 1);
  });

  test.each([
    ["a reset", "start", "Reset", "World reset."],
    ["a snapshot that was gone back to", "data", "Restore before", "Snapshot before restored."],
    ["a scenario that was left", "start", "Remove scenario", "Scenario removed."],
  ])("%s, with the whole world, and names other changes that it reverts", async (_what, page, name, done) => {
    at.sandbox.snapshot("before");
    await at.sandbox.scenario("leap-day");
    await twoCreates();
    at.sandbox.use({ id: "mine", then: { delay: "1ms" } });
    await at.open(`?page=${page}`);
    const before = { ...at.sandbox.state(), rules: at.sandbox.rules.list() };
    if (page === "start") await at.page.locator(".menu-scenario summary").click();
    await press(name);
    await at.page.getByText(done).waitFor();
    expect(at.sandbox.state().digest).not.toBe(before.digest);
    at.sandbox.use({ id: "later", when: { operation: "museum.getMuseumHours" }, then: { hold: "late" } });
    const held = at.sandbox.museum.getMuseumHours();
    await at.page.getByText("Undo also reverts 1 later request.").waitFor();
    await press("Undo");
    await at.page.getByText(/^Undo would end #\d, still open\./).waitFor();
    at.sandbox.gates.release("late");
    expect((await held).status).toBe(200);
    await undo();
    expect({ ...at.sandbox.state(), rules: at.sandbox.rules.list() }).toEqual(before);
  });
});

describe("the dashboard asks for confirmation", () => {
  test("to clear the journal, also by keyboard; open requests stay and can be released there", async () => {
    await twoCreates();
    at.sandbox.use({ when: { operation: "museum.getMuseumHours" }, then: { hold: "late" } });
    const held = at.sandbox.museum.getMuseumHours();
    await at.sandbox.gates.arrived("late");
    await at.open("?page=requests");
    await at.button("Clear").focus();
    await at.page.keyboard.press("Enter");
    await at.button("Clear all?").waitFor();
    await at.page.keyboard.press("Escape");
    await at.button("Clear").waitFor();
    expect(at.sandbox.journal.count()).toBe(3);
    await at.page.keyboard.press("Tab");
    await at.button("Clear").click();
    await at.button("Clear all?").click();
    await row(1).waitFor({ state: "detached" });
    expect(at.sandbox.journal.list().map(({ seq, state }) => `${seq} ${state}`)).toEqual(["3 open"]);
    expect(await at.button("Undo").count()).toBe(0);
    await at.button("Release #3 from late").click();
    expect((await held).status).toBe(200);
    await row(3).waitFor();
  });

  test("to end a world", async () => {
    at.sandbox.fork("cart");
    await at.open("?page=data");
    await at.page.locator(".menu-worlds summary").click();
    await at.button("End cart").click();
    expect(at.sandbox.worlds.list()).toHaveLength(2);
    await at.button("End cart?").click();
    await at.page.getByText("World cart ended.").waitFor();
    expect(at.sandbox.worlds.list().map(({ id }) => id)).toEqual(["main"]);
    expect(await at.button("Undo").count()).toBe(0);
  });
});
