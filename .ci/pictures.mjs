// `npm run pictures` takes the pictures of the dashboard for the manual, light and dark. It needs Chromium and a build.

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { PNG } from "pngjs";

const DOCS = fileURLToPath(new URL("../docs", import.meta.url));
const EVENT = { location: "Hall 2", eventDescription: "After dark", dates: ["2026-03-31"], price: 12.5 };

/** @type {typeof import("../src/index.ts")} */
const { createSandbox } = await import(new URL("../dist/index.js", import.meta.url).href);
/** No request takes time, so that two runs take the same pictures. */
const wall = { now: () => 0, pause: async () => {} };
const sandbox = await createSandbox({ clock: "2026-03-01T09:00:00Z", wall });
const { url } = await sandbox.listen({ port: 0 });
await sendRequests();
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-lcd-text"],
});
for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1080, height: 440 } });
  await page.goto(`${url}/_vitrine/?page=requests&seq=7`);
  await page.locator(".connection.live").waitFor();
  const picture = PNG.sync.read(await page.screenshot());
  for (const [at, value] of picture.data.entries()) picture.data[at] = Math.round(value / 5) * 5; // compresses better
  const smaller = PNG.sync.write(picture, { colorType: 2, deflateStrategy: 0, filterType: 0 });
  writeFileSync(`${DOCS}/dashboard-${colorScheme}.png`, smaller);
}
await browser.close();
await sandbox.close();

/** The requests of a client that retries a create whose response is lost, logs in twice, and sends invalid input. */
async function sendRequests() {
  const { museum, account, rules } = sandbox;
  const login = { body: { email: "ada@example.test", password: "Vitrine!2026" } };
  await museum.listSpecialEvents({ query: { limit: 5 } });
  await sandbox.scenario("reply-lost-after-create");
  await museum.createSpecialEvent({ body: { name: "Night of the lamps", ...EVENT } }).catch(() => {});
  await museum.createSpecialEvent({ body: { name: "Night of the lamps", ...EVENT } });
  for (const { id } of rules.list()) rules.remove(id);
  await account.login(login);
  await account.login(login);
  await account.listPreSales();
  // @ts-expect-error: a mistake of the client
  await account.createPreSaleAction({ body: { threshold: -1, target: "ops", type: "mail" } });
  await museum.getMuseumHours();
}
