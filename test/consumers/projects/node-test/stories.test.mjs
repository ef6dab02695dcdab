import test from "node:test";
import { useSandbox } from "vitrine/hooks";
import { createClient } from "./client.mjs";
import { stories } from "./stories.mjs";

const sandbox = useSandbox({ hooks: test, env: { MUSEUM_URL: "museum", ACCOUNT_URL: "account" } });

for (const [name, story] of Object.entries(stories)) {
  test(name, async () => {
    const { MUSEUM_URL: museum, ACCOUNT_URL: account } = process.env;
    await story(createClient({ museum, account }), sandbox);
  });
}
