const { useSandbox } = require("vitrine/hooks");
const { createClient } = require("./client.cjs");
const { stories } = require("./stories.cjs");

describe("a client", () => {
  const sandbox = useSandbox({ env: { MUSEUM_URL: "museum", ACCOUNT_URL: "account" } });

  for (const [name, story] of Object.entries(stories)) {
    it(name, async () => {
      const { MUSEUM_URL: museum, ACCOUNT_URL: account } = process.env;
      await story(createClient({ museum, account }), sandbox);
    });
  }
});
