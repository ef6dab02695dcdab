// A newcomer's first day with the real command: start it, copy the login from the banner, call everything once.

import { expect, test } from "vitest";
import { runBin } from "./bin.ts";

const JSON_BODY = { "content-type": "application/json", accept: "application/json" };

test("the banner contains everything for a call of each API, and the next login waits for the next day", async () => {
  const run = runBin(["--port", "0"]);
  await run.until(/Ctrl\+C/);
  const address = (path: string): string =>
    new RegExp(`http://localhost:\\d+${path}(?=\\s)`).exec(run.output.out)?.[0] ?? "";
  const [museum, account, control] = ["/museum/v1\\.1", "/account", "/_vitrine/"].map(address);
  const credentials = /\/login (\{.+\})/.exec(run.output.out)?.[1] ?? "";

  const call = async (
    base: string | undefined,
    method: string,
    path: string,
    headers: object,
    body?: object | string,
  ) => {
    const sent = typeof body === "object" ? JSON.stringify(body) : body;
    const init = {
      method,
      headers: { ...JSON_BODY, ...headers },
      ...(sent === undefined ? {} : { body: sent }),
    };
    const reply = await fetch(`${base}${path}`, init);
    const text = await reply.text();
    return { status: reply.status, reply, body: text === "" ? undefined : JSON.parse(text) };
  };
  const login = () => call(account, "POST", "/login", {}, credentials);
  const asUser = (method: string, path: string, body?: object) =>
    call(account, method, path, { authorization: `Bearer ${token}` }, body);
  const asGuide = (method: string, path: string, body?: object) =>
    call(museum, method, path, { authorization: "Basic Z3VpZGU6c2VjcmV0" }, body);

  const first = await login();
  expect(first.status).toBe(200);
  const { token } = first.body;
  const refused = await login();
  expect(refused.status).toBe(429);
  expect(Number(refused.reply.headers.get("retry-after"))).toBeGreaterThan(86_000);

  const [consumption] = (await asUser("GET", "/consumptions?page=1")).body;
  const [preSale] = (await asUser("GET", "/pre-sales")).body;
  const action = {
    threshold: 10,
    action_type: "alert_mail",
    target: "ops@example.test",
    enabled: true,
    pre_sale_uuid: preSale.uuid,
  };
  const created = await asUser("POST", "/pre-sale-actions", action);
  const ofAction = `/pre-sale-actions/${created.body.uuid}`;
  const { email: _email, ...profile } = (await asUser("GET", "/users/me")).body;
  const event = {
    name: "Night of the lamps",
    location: "Hall 2",
    eventDescription: "After dark",
    dates: ["2026-03-31"],
    price: 0,
  };
  const { body: made } = await asGuide("POST", "/special-events", event);
  const ofEvent = `/special-events/${made.eventId}`;

  const statuses = [
    created,
    await asUser("GET", `/consumptions/${consumption.uuid}`),
    await asUser("GET", `/pre-sales/${preSale.uuid}`),
    await asUser("GET", "/pre-sale-actions"),
    await asUser("GET", ofAction),
    await asUser("PUT", ofAction, { ...action, threshold: 20 }),
    await asUser("DELETE", ofAction),
    await asUser("GET", ofAction),
    await asUser("PUT", "/users/me", profile),
    await asUser("PUT", "/users/me/change-password", { password: "Lanterns#2026" }),
    await asGuide("GET", "/special-events"),
    await asGuide("GET", ofEvent),
    await asGuide("PATCH", ofEvent, { price: 5 }),
    await asGuide("DELETE", ofEvent),
    await asGuide("GET", ofEvent),
    await asGuide("GET", "/museum-hours"),
    await call(museum, "GET", "/special-events", {}),
  ].map(({ status }) => status);
  expect(statuses).toEqual([
    201, 200, 200, 200, 200, 200, 204, 404, 200, 200, 200, 200, 200, 204, 404, 200, 401,
  ]);

  const advanced = await call(control, "POST", "clock/advance", {}, { by: "24h" });
  expect(advanced.status).toBe(200);
  expect((await login()).status).toBe(401);
  const { email } = JSON.parse(credentials);
  const next = await call(account, "POST", "/login", {}, { email, password: "Lanterns#2026" });
  expect(next.status).toBe(200);
  expect((await asUser("GET", "/users/me")).status).toBe(401);
  run.child.kill("SIGTERM");
  expect(await run.ended).toBe(0);
});
