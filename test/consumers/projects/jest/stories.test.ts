import { useSandbox } from "vitrine/hooks";
import { createClient } from "./client";
import { stories } from "./stories";

const sandbox = useSandbox({ env: { MUSEUM_URL: "museum", ACCOUNT_URL: "account" } });

for (const [name, story] of Object.entries(stories)) {
  test(name, async () => {
    const { MUSEUM_URL: museum = "", ACCOUNT_URL: account = "" } = process.env;
    await story(createClient({ museum, account }), sandbox);
  });

  test(`${name}, in process`, async () => {
    await story(createClient(sandbox.urls, sandbox.fetch), sandbox);
    await expect(sandbox).toHaveReceived({});
  });
}
