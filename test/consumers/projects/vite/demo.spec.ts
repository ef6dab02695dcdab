import { expect, test } from "@playwright/test";

test("the demo page needs no server", async ({ page }) => {
  await page.goto("/demo.html");
  await expect(page.getByText("10 events")).toBeVisible();
});
