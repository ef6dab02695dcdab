// Mistakes that users make. declarations.slow.test.ts compiles this file against the declarations of the package as it is built:
// each numbered line has one, and the compiler finds it. It is not part of the project's own check, where it would fail.

import { connect, createSandbox, defineRule, defineScenario, documentedOutcomes } from "vitrine";

const sandbox = await createSandbox();
const CREATE = "museum.createSpecialEvent";

/* 1: no such operation, in use */
sandbox.use({ when: { operation: "museum.createSpecialEvnt" }, then: { problem: "invalidInput" } });
/* 2: a problem of another operation, in use */
sandbox.use({ when: { operation: CREATE }, then: { problem: "eventNotFound" } });
/* 3: a misspelt part of a rule */
sandbox.use({ wen: { operation: CREATE }, then: { problem: "invalidInput" } });
/* 4: no such fault */
sandbox.use({ when: { operation: CREATE }, then: { fault: "rest" } });
/* 5: no such operation, in defineRule */
defineRule({ when: { operation: "museum.createSpecialEvnt" }, then: { problem: "invalidInput" } });
/* 6: a problem of another operation, in defineRule */
defineRule({ when: { operation: CREATE }, then: { problem: "eventNotFound" } });
/* 7: a status that the operation does not document */
defineRule({ when: { operation: CREATE }, then: { respond: { status: 418 } } });
/* 8: no such field of the body */
defineRule({ when: { operation: CREATE, body: { prise: 1 } }, then: { problem: "invalidInput" } });
/* 9: no such operation, in defineScenario */
defineScenario({ version: 1, rules: [{ when: { operation: "account.logn" }, then: { pass: true } }] });
/* 10: no such operation, in journal.count */
sandbox.journal.count({ operation: "museum.createSpecialEvnt" });
/* 11: no such operation, in journal.verify */
await sandbox.journal.verify({ operation: "account.logn", times: 1 });
/* 12: no such preset, in scenario */
await sandbox.scenario("museum-emtpy");
/* 13: no such preset, in createSandbox */
await createSandbox({ scenario: "museum-emtpy" });
/* 14: no such setting, in createSandbox */
await createSandbox({ settings: { museum: { stric: true } } });
/* 15: no such kind of token */
sandbox.auth.token({ kind: "expird" });
/* 16: fields of the body left out */
await sandbox.museum.createSpecialEvent({ body: { name: "Night of the lamps" } });
/* 17: no such parameter of the query */
await sandbox.museum.listSpecialEvents({ query: { pge: 1 } });
/* 18: a status that is no answer of the operation */
if ((await sandbox.museum.getSpecialEvent({ params: { eventId: "x" } })).status === 422)
  await sandbox.close();
/* 19: no such collection */
sandbox.data.museum.specialEvent.all();
/* 20: no such operation, in documentedOutcomes */
documentedOutcomes("museum.nope");
/* 21: no such option */
await createSandbox({ sed: 1 });
/* 22: no duration */
await sandbox.clock.advance("24 hourz");
/* 23: no such setting, in defineScenario */
defineScenario({ version: 1, settings: { account: { tokenLifetme: "90s" } } });
/* 24: no such collection, in defineScenario */
defineScenario({ version: 1, data: { museum: { specialEvent: { replace: [] } } } });
/* 25: a misspelt limit */
defineRule({ when: { operation: CREATE }, limit: { time: 1 }, then: { problem: "invalidInput" } });
/* 26: no such operation, in a scenario of createSandbox */
await createSandbox({
  scenario: { version: 1, rules: [{ when: { operation: "x.y" }, then: { pass: true } }] },
});
/* 27: no such stage */
defineRule({ when: { operation: CREATE }, at: "respnse", then: { fault: "reset" } });
/* 28: a problem of another operation, in one rule of several of defineScenario */
defineScenario({
  version: 1,
  rules: [{ when: { operation: "account.login" }, then: { problem: "eventNotFound" } }],
});
/* 29: an entity without its fields */
sandbox.data.museum.specialEvents.upsert([{ name: "Night of the lamps" }]);
/* 30: no such operation, over HTTP */
await connect("http://localhost:4010").use({ when: { operation: "account.logn" }, then: { pass: true } });
/* 31: no duration, in a rule */
sandbox.use({ then: { delay: "2 seconds", pass: true } });
/* 32: no such problem, in journal.list */
sandbox.journal.list({ problem: "evntNotFound" });
