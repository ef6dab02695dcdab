import { expect } from "vitrine/playwright";
import { test } from "./app";

test("the page shows what was added, to the sandbox of its test", async ({ page, sandbox }) => {
  await page.goto("/");
  await page.getByLabel("Name").fill("Night of the lamps");
  await page.getByText("Add").click();
  await expect(page.locator("output")).toHaveText("done");
  await expect(page.getByText("Night of the lamps")).toBeVisible();
  await expect(sandbox).toHaveReceived({ operation: "museum.createSpecialEvent", status: 201 }, { times: 1 });
});

test.describe("in an empty museum", () => {
  test.use({ sandboxOptions: { scenario: "museum-empty" } });

  test("the page has nothing to show", async ({ page, sandbox }) => {
    await page.goto("/");
    await sandbox.journal.waitFor({ operation: "museum.listSpecialEvents" });
    await expect(page.getByRole("listitem")).toHaveCount(0);
  });
});

test.describe("at an address that begins with https", () => {
  test.use({ sandboxAddresses: { museum: "https://api.museum.example/v1.1" } });

  test("the page is answered too", async ({ page, sandbox }) => {
    await page.goto("/");
    const { authorization } = sandbox.auth.basic();
    const statuses = await page.evaluate(
      (headers) =>
        Promise.all(
          ["special-events", "museum-hours", "special-events/x"].map(async (path) => {
            const reply = await fetch(`https://api.museum.example/v1.1/${path}`, { headers });
            return reply.status;
          }),
        ),
      { authorization },
    );
    expect(statuses).toEqual([200, 200, 400]);
  });
});
