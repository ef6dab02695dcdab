// The dashboard over https in Chromium, with a certificate that the test makes.

import { expect, test } from "vitest";
import { makeCertificate } from "../support/certificate.ts";
import { seat } from "./cockpit.ts";

const at = seat({}, { ignoreHTTPSErrors: true }, makeCertificate());

test("the dashboard is live over https, and a page reaches the services", async () => {
  await at.open("?page=requests");
  await at.page.evaluate('fetch("/museum/v1.1/museum-hours", { credentials: "omit" }).then()');
  await at.page.locator(".rows a", { hasText: "museum-hours" }).waitFor();
  expect(at.sandbox.journal.last?.origin).toMatch(/^https:/);
});
