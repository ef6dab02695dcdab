import * as hooks from "@jest/globals";
import { useSandbox } from "vitrine/hooks";

const { expect, test } = hooks;
const sandbox = useSandbox({ hooks });

test("fails in an expectation", async () => {
  await sandbox.museum.listSpecialEvents();
  await expect(sandbox).toHaveReceived({ operation: "museum.listSpecialEvents" }, { times: 2 });
});

test("fails with a string, as a timeout does", async () => {
  await sandbox.museum.getMuseumHours();
  await Promise.reject("no answer");
});
