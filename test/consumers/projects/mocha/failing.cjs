// For Mocha, which has global hooks, and for node:test.
const assert = require("node:assert");
const { useSandbox } = require("vitrine/hooks");

const hooks = globalThis.it === undefined ? require("node:test") : globalThis;
const sandbox = useSandbox({ hooks });

hooks.it("fails in an assertion", async () => {
  await sandbox.museum.listSpecialEvents();
  assert.equal(sandbox.journal.count(), 2);
});

hooks.it("fails with a string, as a timeout does", async () => {
  await sandbox.museum.getMuseumHours();
  await Promise.reject("no answer");
});
