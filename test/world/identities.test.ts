// Who can log in, and with which password.

import { expect, test } from "vitest";
import { World } from "../../src/world/world.ts";

const ada = { name: "ada@example.test", password: "old", uid: 1, roles: {} };

test("a new password replaces the old one of an existing user", () => {
  const { identities } = new World({ seed: 1 });
  identities.add("account", ada);
  identities.setPassword("account", "ADA@example.test", "new");
  expect(identities.check("account", ada.name, "old")).toBeUndefined();
  expect(identities.check("account", ada.name, "new")).toEqual({ ...ada, password: "new" });
  identities.setPassword("account", "bob@example.test", "new");
  identities.setPassword("accountSandbox", ada.name, "new");
  expect(identities.of("account").all()).toHaveLength(1);
  expect(identities.of("accountSandbox").all()).toEqual([]);
});
