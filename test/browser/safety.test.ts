// Whatever clients send, the dashboard shows as text, without their secrets; and it sends nothing to elsewhere.

import { expect, test } from "vitest";
import { LOGIN, seat } from "./cockpit.ts";
import { MARKUP, NAUGHTY } from "./hostile-strings.ts";

const at = seat();

test("no secret of a client comes into the page", async () => {
  const canary = (place: string) => `canary-${place}-5e84c1`;
  await at.sandbox.fetch(`/account/login?api_key=${canary("query")}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${canary("bearer")}`,
      cookie: `session=${canary("cookie")}`,
      "x-api-key": canary("key"),
    },
    body: JSON.stringify({ email: "ada@example.test", password: canary("password") }),
  });
  const { token } = (await at.sandbox.account.login({ body: LOGIN })).body as { token: string }; // the throttle is new
  await at.sandbox.museum.listSpecialEvents({ headers: at.sandbox.auth.basic("ada", canary("basic")) });
  for (const seq of [1, 2, 3])
    for (const tab of ["request", "response", "changed"]) {
      await at.open(`?page=requests&seq=${seq}&tab=${tab}`);
      const text = await at.page.evaluate<string>("document.documentElement.outerHTML");
      expect(text).not.toMatch(/canary-/);
      expect(text).not.toContain(token);
      expect(text).not.toContain(btoa(`ada:${canary("basic")}`));
    }
});

test("hostile strings are shown as text everywhere", async () => {
  const strings = [...MARKUP, ...NAUGHTY];
  const elements = "[...new Set([...document.querySelectorAll('*')].map((one) => one.localName))].sort()";
  const attributes =
    "[...new Set([...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames()).filter((name) => /^on|^style$|^src/.test(name)))]";
  const pages = [
    "?page=requests&filter=special",
    "?page=data",
    "?page=mail",
    "?page=misbehave",
    "?page=client",
  ];
  const details = ["why", "request", "response", "changed", "rules"].map(
    (tab) => `?page=requests&seq=1&tab=${tab}`,
  );
  await populate(["Tame"]);
  const tame = await shapes();
  at.sandbox.reset();
  await populate(strings);
  expect(await shapes()).toEqual(tame);
  await at.open("?page=data");
  expect(await texts("td:nth-child(2)")).toEqual(strings.map(withoutControls));
  await at.open("?page=mail");
  expect(new Set(await texts(".mail-list b"))).toEqual(new Set(strings.map(withoutControls)));
  for (const index of [0, 20, 40]) {
    await at.open(`?page=requests&seq=${2 * index + 1}&tab=request`);
    const shown = (await texts(".detail pre")).join("");
    expect(shown).toContain(withoutControls(JSON.stringify(strings[index] ?? "")));
  }
  await at.open("?page=misbehave");
  await at.button("Edit hostile-0").click();
  expect(await at.page.locator(".editor textarea").inputValue()).toContain(JSON.stringify(MARKUP[0]));
  expect(await at.page.evaluate("window.hacked")).toBeUndefined();

  /** The kinds of elements and of dangerous attributes that each page has. */
  async function shapes() {
    const all = [];
    for (const search of [...pages, ...details]) {
      await at.open(search);
      all.push([search, await at.page.evaluate(elements), await at.page.evaluate(attributes)]);
    }
    return all;
  }
});

test("hostile parameters in the URL of the page run no script", async () => {
  await at.sandbox.museum.listSpecialEvents();
  const hostile = encodeURIComponent('"><img src=x onerror="window.hacked=1">');
  for (const name of ["filter", "seq", "tab", "force", "collection", "mail", "page"])
    await at.open(`?page=requests&${name}=${hostile}`);
  expect(await at.page.evaluate("window.hacked")).toBeUndefined();
  expect(await at.page.locator("img").count()).toBe(1);
});

const texts = (selector: string) =>
  at.page.evaluate<string[]>(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.textContent)`,
  );

/** The strings in data, mails, rules, and in all parts of requests. */
async function populate(strings: readonly string[]) {
  const [event] = at.sandbox.data.museum.specialEvents.all();
  if (event === undefined) throw new Error("There is no event.");
  for (const text of strings) await attack(text);
  for (const text of strings) {
    const mail = { environment: "account", to: text, subject: text, text, html: text, actionUuid: uuid(0) };
    at.sandbox.mailbox.deliver(mail, at.sandbox.clock.now());
  }
  strings.forEach((body, index) => {
    at.sandbox.use({
      id: `hostile-${index}`,
      title: body,
      when: { path: "/never", body },
      then: { respond: { status: 503, body } },
    });
  });
  at.sandbox.data.museum.specialEvents.replace(
    strings.map((name, index) => ({ ...event, eventId: uuid(index), name, eventDescription: name })),
  );
}

/** One string in query, header name, header value and body of a request, and in the path of another. */
async function attack(text: string): Promise<void> {
  const name = `x-${text.replace(/[^A-Za-z0-9!#$%&'*+.^_`|~-]/g, "")}`;
  const value = /^[\t\x20-\x7e\x80-\xff]*$/.test(text) ? text : encodeURIComponent(text);
  const part = encodeURIComponent(text);
  const headers = { "content-type": "application/json", ...at.sandbox.auth.basic(), [name]: value };
  const body = JSON.stringify({ name: text, [text]: text });
  await at.sandbox.fetch(`/museum/v1.1/special-events?${part}=${part}`, { method: "POST", headers, body });
  await at.sandbox.fetch(`/museum/v1.1/${part}`, { headers });
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
