// What a program does that serves the sandbox and is its client too, in any runtime that can load the package.

import { createSandbox } from "vitrine";

const sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z", seed: 7 });
const { urls, close } = await sandbox.listen();
const json = { "content-type": "application/json" };

const events = await fetch(`${urls.museum}/special-events`, { headers: sandbox.auth.basic() });
const login = await fetch(`${urls.account}/login`, {
  method: "POST",
  headers: json,
  body: JSON.stringify({ email: "ada@example.test", password: "Vitrine!2026" }),
});
const { token } = /** @type {{ token: string }} */ (await login.json());
const presales = await fetch(`${urls.account}/pre-sales`, { headers: { authorization: `Bearer ${token}` } });
await sandbox.clock.advance("24h");
const expired = await fetch(`${urls.account}/pre-sales`, { headers: { authorization: `Bearer ${token}` } });
sandbox.use({ when: { service: "museum", path: "*" }, then: { respond: { status: 503 } } });
const away = await fetch(`${urls.museum}/special-events`, { headers: sandbox.auth.basic() });
const control = await fetch(`${urls.control}/verify`);

const answers = [events, login, presales, expired, away, control].map(({ status }) => status);
const journal = sandbox.journal.list().map(({ operation, status }) => `${operation} ${status}`);
await close();
await sandbox.close();
console.log(JSON.stringify({ answers, journal, token }));
