// Scenario files with a mistake in them: each is refused with its place and what would be valid. What is no JSON:
// source.test.ts.

import { describe, expect, test } from "vitest";
import { UsageError } from "../../src/errors/usage-error.ts";
import { scenarios as library } from "../../src/runtimes/node/scenario-files.ts";
import { loadScenario, ScenarioText } from "../../src/scenario/scenario.ts";
import { services } from "../../src/services/index.ts";

/** A file whose second line is the one with the mistake. */
const file = (line: string): string => `{ "version": 1,\n  ${line}\n}`;
const rule = (text: string): string => file(`"rules": [ ${text} ]`);

function refusalOf(text: string): UsageError {
  try {
    loadScenario(new ScenarioText("wrong.json", text), { services, library });
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
}

/** The list of valid names grows with the services; the nearest one is what counts. */
const withoutList = (message: string): string =>
  message.replace(/ Known: [^(]*?\.(?= \(at| Write| The rule|$)/, "");

const CASES: readonly (readonly [text: string, told: string])[] = [
  [file(`"title": "x", "title": "y"`), '2:17: Duplicate key "title". (at /title)'],
  [
    rule(`{ "id": "a", "then": { "problem": "x", "problem": "y" } }`),
    '2:53: Duplicate key "problem". (at /rules/0/then/problem)',
  ],
  [
    file(`"settings": { "__proto__": { "strict": true } }`),
    '2:17: The key "__proto__" is not allowed here. (at /settings/__proto__)',
  ],
  ['{\n  "title": "x"\n}', "1:1: version is required."],
  ['{\n  "version": 2\n}', "2:14: version must be 1, not 2. (at /version)"],
  ["\n  []", "2:3: This must be an object, not an array."],
  [file(`"ruls": []`), '2:3: Unknown field "ruls". Did you mean "rules"? (at /ruls)'],
  [
    rule(`{ "wen": {}, "then": { "pass": true } }`),
    '2:16: Unknown field "wen". Did you mean "when"? (at /rules/0/wen)',
  ],
  [
    rule(`{ "when": { "operatoin": "account.login" }, "then": { "pass": true } }`),
    '2:26: Unknown field "operatoin". Did you mean "operation"? (at /rules/0/when/operatoin)',
  ],
  [
    rule(`{ "limit": { "time": 1 }, "then": { "pass": true } }`),
    '2:27: Unknown field "time". Did you mean "times"? (at /rules/0/limit/time)',
  ],
  [
    rule(`{ "then": { "probelm": "x" } }`),
    '2:26: Unknown field "probelm". Did you mean "problem"? (at /rules/0/then/probelm)',
  ],
  [
    rule(`{ "then": { "respond": { "staus": 503 } } }`),
    '2:39: Unknown field "staus". Did you mean "status"? (at /rules/0/then/respond/staus)',
  ],
  [
    rule(`{ "then": { "delay": { "lognormal": { "medain": "1s", "sigma": 1, "max": "2s" } } } }`),
    '2:52: Unknown field "medain". Did you mean "median"? (at /rules/0/then/delay/lognormal/medain)',
  ],
  [file(`"clock": { "att": "2026-03-01" }`), '2:14: Unknown field "att". Did you mean "at"? (at /clock/att)'],
  [
    file(`"expect": { "unusedRule": "fail" }`),
    '2:15: Unknown field "unusedRule". Did you mean "unusedRules"? (at /expect/unusedRule)',
  ],
  [
    rule(`{ "when": { "operation": "account.createPresaleAction" }, "then": { "pass": true } }`),
    '2:39: Unknown operation "account.createPresaleAction". Did you mean "account.createPreSaleAction"? (at /rules/0/when/operation)',
  ],
  [
    rule(`{ "when": { "operation": ["account.login", "account.logn"] }, "then": { "pass": true } }`),
    '2:57: Unknown operation "account.logn". Did you mean "account.login"? (at /rules/0/when/operation/1)',
  ],
  [
    rule(`{ "when": { "operation": "museum.lits*" }, "then": { "pass": true } }`),
    '2:39: Unknown operation "museum.lits*". (at /rules/0/when/operation)',
  ],
  [
    rule(`{ "when": { "environment": "acountSandbox" }, "then": { "pass": true } }`),
    '2:41: Unknown environment "acountSandbox". Did you mean "accountSandbox"? (at /rules/0/when/environment)',
  ],
  [
    rule(`{ "when": { "operation": "account.login", "environment": "museum" }, "then": { "pass": true } }`),
    "2:71: None of these operations is served in that environment. (at /rules/0/when/environment)",
  ],
  [
    rule(`{ "when": { "operation": "account.login", "path": "/logout" }, "then": { "pass": true } }`),
    "2:64: None of these operations has that path. (at /rules/0/when/path)",
  ],
  [
    rule(`{ "when": { "method": "GTE", "path": "/login" }, "then": { "pass": true } }`),
    '2:36: Unknown method "GTE". Did you mean "GET"? (at /rules/0/when/method)',
  ],
  [
    rule(
      `{ "when": { "operation": "account.createPreSaleAction", "body": { "treshold": 5 } }, "then": { "pass": true } }`,
    ),
    '2:80: Unknown field of the body "treshold". Did you mean "threshold"? (at /rules/0/when/body/treshold)',
  ],
  [
    rule(
      `{ "when": { "operation": "museum.listSpecialEvents", "query": { "startdate": "2026-03-01" } }, "then": { "pass": true } }`,
    ),
    '2:78: Unknown field of the query "startdate". Did you mean "startDate"? (at /rules/0/when/query/startdate)',
  ],
  [
    rule(
      `{ "when": { "operation": "museum.getSpecialEvent", "params": { "eventID": "x" } }, "then": { "pass": true } }`,
    ),
    '2:77: Unknown field of the params "eventID". Did you mean "eventId"? (at /rules/0/when/params/eventID)',
  ],
  [
    rule(
      `{ "when": { "operation": "museum.getSpecialEvent", "body": { "name": "x" } }, "then": { "pass": true } }`,
    ),
    "2:65: museum.getSpecialEvent has no body. (at /rules/0/when/body)",
  ],
  [
    rule(`{ "when": { "query": { "page": { "$gtt": 1 } } }, "then": { "pass": true } }`),
    '2:55: Unknown operator "$gtt". Did you mean "$gt"? (at /rules/0/when/query/page/$gtt)',
  ],
  [
    rule(`{ "when": { "body": { "$exists": true, "name": "x" } }, "then": { "pass": true } }`),
    '2:61: Unknown operator "name". (at /rules/0/when/body/name)',
  ],
  [
    rule(`{ "when": { "accept": { "$regex": "(" } }, "then": { "pass": true } }`),
    "2:48: $regex is not a regular expression of RE2 syntax: error parsing regexp: missing closing ): `(`. (at /rules/0/when/accept/$regex)",
  ],
  [
    rule(`{ "when": { "body": { "$type": "int" } }, "then": { "pass": true } }`),
    '2:45: Unknown type "int". (at /rules/0/when/body/$type)',
  ],
  [
    rule(`{ "when": { "query": { "page": { "$gt": [1] } } }, "then": { "pass": true } }`),
    "2:54: $gt must be a number or a string. (at /rules/0/when/query/page/$gt)",
  ],
  [
    rule(
      `{ "when": { "operation": "account.createPreSaleAction" }, "then": { "problem": "invalidActoin" } }`,
    ),
    '2:93: Unknown problem of account.createPreSaleAction "invalidActoin". Did you mean "invalidAction"? (at /rules/0/then/problem)',
  ],
  [
    rule(`{ "when": { "operation": "account.login" }, "then": { "problem": "invalidAction" } }`),
    '2:79: Unknown problem of account.login "invalidAction". (at /rules/0/then/problem)',
  ],
  [
    rule(`{ "when": { "operation": "account.*" }, "then": { "problem": "preSaleNotFound" } }`),
    '2:75: Unknown problem of account.login "preSaleNotFound". Did you mean "pathNotFound"? The rule matches 13 operations: name one of them in "when". (at /rules/0/then/problem)',
  ],
  [
    rule(`{ "when": { "operation": "account.login" }, "then": { "respond": { "status": 418 } } }`),
    '2:91: account.login does not document the status 418. Write "undocumented": true next to respond if you want this. (at /rules/0/then/respond/status)',
  ],
  [
    rule(`{ "then": { "respond": { "status": 99 } } }`),
    "2:49: status must be at least 200, not 99. (at /rules/0/then/respond/status)",
  ],
  [
    rule(
      `{ "when": { "operation": "museum.deleteSpecialEvent" }, "then": { "respond": { "status": 204, "body": {} } } }`,
    ),
    "2:116: A 204 has no body. (at /rules/0/then/respond/body)",
  ],
  [
    rule(`{ "then": { "respond": { "status": 503, "headers": { "x-a": "b\\r\\nc: d" } } } }`),
    "2:74: x-a must contain only Latin-1 without control characters. (at /rules/0/then/respond/headers/x-a)",
  ],
  [
    rule(`{ "then": { "respond": { "status": 503, "headers": { "Content-Length": "5" } } } }`),
    "2:67: Content-Length is the connection's own header; use a fault to break it. (at /rules/0/then/respond/headers/Content-Length)",
  ],
  [
    rule(`{ "then": { "respond": { "status": 503, "headers": { "x a": "b" } } } }`),
    "2:67: x a is not the name of a header. (at /rules/0/then/respond/headers/x a)",
  ],
  [
    rule(`{ "then": { "fault": "rest" } }`),
    '2:35: Unknown fault "rest". Did you mean "reset"? (at /rules/0/then/fault)',
  ],
  [
    rule(`{ "then": { "fault": "reset", "problem": "x" } }`),
    "2:35: Only one of problem, respond, fault, mutate, hold, pass is allowed, not problem and fault. (at /rules/0/then/fault)",
  ],
  [
    rule(`{ "then": {} }`),
    '2:24: "then" must contain one of problem, respond, fault, mutate, hold, pass, sequence, delay, advance. (at /rules/0/then)',
  ],
  [
    rule(`{ "then": { "fault": "reset", "title": "x" } }`),
    '2:53: "title" is only allowed together with "problem". (at /rules/0/then/title)',
  ],
  [
    rule(`{ "then": { "sequence": [ { "pass": true } ], "fault": "reset" } }`),
    '2:69: Set "fault" on the steps of the sequence, not next to it. (at /rules/0/then/fault)',
  ],
  [
    rule(`{ "then": { "sequence": [ { "pass": true } ], "after": "loop" } }`),
    '2:69: Unknown after "loop". (at /rules/0/then/after)',
  ],
  [
    rule(`{ "then": { "mutate": "drp:/name" } }`),
    "2:36: mutate must be extra, empty, drop:/field, null:/field, enum:/field or long:/field, or a list of these. (at /rules/0/then/mutate)",
  ],
  [
    rule(`{ "at": "handler", "then": { "mutate": "extra" } }`),
    '2:22: This action changes the response, so it needs "at": "response", not "handler". (at /rules/0/at)',
  ],
  [
    rule(`{ "at": "edge", "when": { "body": { "price": 1 } }, "then": { "fault": "reset" } }`),
    "2:22: The stage edge is too early: query, body and user are available from the stage handler on. (at /rules/0/at)",
  ],
  [
    rule(`{ "when": { "path": "/museum/v1.1/museum-hours" }, "then": { "respond": { "status": 503 } } }`),
    '2:34: A path is relative to the base URL: write "/museum-hours". (at /rules/0/when/path)',
  ],
  [
    rule(`{ "when": { "path": "/special-events/{eventId}" }, "then": { "respond": { "status": 503 } } }`),
    '2:34: No request has braces in its path: write "/special-events/*", or name the operation. (at /rules/0/when/path)',
  ],
  [
    rule(`{ "when": { "operation": "getMuseumHours" }, "then": { "pass": true } }`),
    '2:39: Unknown operation "getMuseumHours". Did you mean "museum.getMuseumHours"? (at /rules/0/when/operation)',
  ],
  [
    rule(`{ "when": { "headers": { "user-agent": { "contains": "shop" } } }, "then": { "pass": true } }`),
    '2:53: A header is a string, not an object. Use operators such as { "$contains": "…" }. (at /rules/0/when/headers/user-agent)',
  ],
  [
    rule(`{ "when": { "user": { "name": "ada" } }, "then": { "pass": true } }`),
    '2:34: The user is a string, not an object. Use operators such as { "$contains": "…" }. (at /rules/0/when/user)',
  ],
  [
    rule(`{ "limit": { "from": "+10m", "until": "+5m" }, "then": { "pass": true } }`),
    '2:52: The window closes before it opens: until must come after from, not "+5m". (at /rules/0/limit/until)',
  ],
  [
    rule(`{ "then": { "delay": { "dribble": { "chunks": 3, "over": "1s" } }, "clock": "virtual" } }`),
    "2:90: A dribble takes wall time: it cannot wait for the sandbox's clock. (at /rules/0/then/clock)",
  ],
  [
    rule(
      `{ "when": { "operation": "museum.createSpecialEvent" }, "then": { "sequence": [ { "problem": "invalidInput" }, { "mutate": "extra" } ] } }`,
    ),
    '2:94: Another action of the sequence changes the response. All its actions therefore run at "response", after the service has done the work. Write "at": "response" if you want this, or use two rules. (at /rules/0/then/sequence/0)',
  ],
  [
    rule(`{ "at": "handlr", "then": { "pass": true } }`),
    '2:22: Unknown at "handlr". Did you mean "handler"? (at /rules/0/at)',
  ],
  [
    rule(`{ "then": { "delay": "fast" } }`),
    '2:35: "fast" is not a duration. Write a number with ms, s, m, h or d, such as "500ms", "30s" or "24h". (at /rules/0/then/delay)',
  ],
  [
    rule(`{ "then": { "delay": "61s" } }`),
    '2:35: delay must be at most 60s. For longer delays, add "clock": "virtual". (at /rules/0/then/delay)',
  ],
  [
    rule(`{ "limit": { "times": 0 }, "then": { "pass": true } }`),
    "2:36: times must be at least 1, not 0. (at /rules/0/limit/times)",
  ],
  [
    rule(`{ "limit": { "chance": 1.5 }, "then": { "pass": true } }`),
    "2:37: chance must be at most 1, not 1.5. (at /rules/0/limit/chance)",
  ],
  [
    rule(`{ "limit": { "from": "tomorrow" }, "then": { "pass": true } }`),
    '2:35: "tomorrow" is not a time such as "2026-03-01T09:00:00Z", or an offset with a sign such as "+3d" or "-2h". (at /rules/0/limit/from)',
  ],
  [
    rule(`{ "times": 1, "then": { "pass": true } }`),
    '2:16: The field "times" belongs in "limit". (at /rules/0/times)',
  ],
  [
    rule(`{ "operation": "account.login", "then": { "pass": true } }`),
    '2:16: The field "operation" belongs in "when". (at /rules/0/operation)',
  ],
  [
    rule(`{ "problem": "badCredentials", "when": { "operation": "account.login" } }`),
    '2:16: The field "problem" belongs in "then". (at /rules/0/problem)',
  ],
  [
    rule(`{ "then": { "status": 503 } }`),
    '2:26: The field "status" belongs in "respond". (at /rules/0/then/status)',
  ],
  [
    rule(`{ "then": { "pass": true, "times": 1 } }`),
    '2:40: The field "times" belongs in "limit", next to "then". (at /rules/0/then/times)',
  ],
  [
    rule(`{ "then": { "fault": "reset", "at": "response" } }`),
    '2:44: The field "at" belongs next to "then". (at /rules/0/then/at)',
  ],
  [
    rule(`{ "then": { "sequence": [{ "pass": true }, { "fault": "reset", "after": "last" }] } }`),
    '2:77: The field "after" belongs next to "sequence". (at /rules/0/then/sequence/1/after)',
  ],
  [
    rule(`{ "then": { "respond": 503 } }`),
    "2:37: respond must be an object, not a number. (at /rules/0/then/respond)",
  ],
  [rule(`{ "then": "reset" }`), "2:24: then must be an object, not a string. (at /rules/0/then)"],
  [
    rule(`{ "then": { "delay": 800 } }`),
    '2:35: delay must be a duration such as "500ms", or an object of uniform, lognormal or dribble. (at /rules/0/then/delay)',
  ],
  [
    rule(`{ "limit": { "times": 1.5 }, "then": { "pass": true } }`),
    "2:36: times must be a whole number, not 1.5. (at /rules/0/limit/times)",
  ],
  [
    rule(`{ "limit": { "times": "2" }, "then": { "pass": true } }`),
    "2:36: times must be a number, not a string. (at /rules/0/limit/times)",
  ],
  [
    rule(`{ "then": { "delay": { "uniform": ["1s"] } } }`),
    "2:48: uniform must have at least 2 items, not 1. (at /rules/0/then/delay/uniform)",
  ],
  [
    rule(`{ "then": { "sequence": [] } }`),
    "2:38: sequence must have at least 1 item, not 0. (at /rules/0/then/sequence)",
  ],
  [
    rule(`{ "then": { "respond": { "status": 503, "headers": { "Retry-After": 2 } } } }`),
    "2:82: Retry-After must be a string, not a number. (at /rules/0/then/respond/headers/Retry-After)",
  ],
  [
    rule(
      `{ "when": { "operation": "account.createPreSaleAction" }, "then": { "problem": "invalidAction", "violations": [ { "path": "threshold", "message": "x" } ] } }`,
    ),
    '2:128: Unknown field "path". (at /rules/0/then/violations/0/path)',
  ],
  [
    rule(`{ "then": { "sequence": [ { "sequence": [] } ] } }`),
    '2:42: Unknown field "sequence". (at /rules/0/then/sequence/0/sequence)',
  ],
  [rule(`{ "then": { "pass": false } }`), "2:34: pass must be true or omitted. (at /rules/0/then/pass)"],
  [rule(`{ "id": "a" }`), "2:14: then is required. (at /rules/0)"],
  [
    rule(`{ "id": "a", "then": { "pass": true } }, { "id": "a", "then": { "pass": true } }`),
    '2:63: Two rules have the id "a". (at /rules/1/id)',
  ],
  [
    rule(`{ "when": { "path": "museum-hours" }, "then": { "pass": true } }`),
    "2:34: path must begin with / or *. (at /rules/0/when/path)",
  ],
  [
    rule(`{ "id": "a b", "then": { "pass": true } }`),
    "2:22: id must begin with a letter or digit and have no spaces. (at /rules/0/id)",
  ],
  [
    file(`"clock": { "at": "2026-02-30" }`),
    '2:20: "2026-02-30" is not a time such as "2026-03-01T09:00:00Z", or an offset with a sign such as "+3d" or "-2h". (at /clock/at)',
  ],
  [
    file(`"settings": { "musem": {} }`),
    '2:17: Unknown service "musem". Did you mean "museum"? (at /settings/musem)',
  ],
  [
    file(`"settings": { "tokenLifetime": "90s" }`),
    '2:17: The setting "tokenLifetime" belongs in "account". (at /settings/tokenLifetime)',
  ],
  [
    file(`"settings": { "account": { "onRepeat": "allow" } }`),
    '2:30: The field "onRepeat" belongs in "login". (at /settings/account/onRepeat)',
  ],
  [
    file(`"data": { "specialEvents": { "generate": 3 } }`),
    '2:13: The collection "specialEvents" belongs in "museum". (at /data/specialEvents)',
  ],
  [
    file(`"settings": { "account": { "login": { "evry": "24h" } } }`),
    '2:41: Unknown field "evry". Did you mean "every"? (at /settings/account/login/evry)',
  ],
  [
    file(`"settings": { "account": { "profile": "api-platform-3" } }`),
    '2:41: Unknown profile "api-platform-3". Did you mean "api-platform-2"? (at /settings/account/profile)',
  ],
  [
    file(`"data": { "museums": {} }`),
    '2:13: Unknown environment "museums". Did you mean "museum"? (at /data/museums)',
  ],
  [
    file(`"data": { "museum": { "specialEvent": {} } }`),
    '2:25: Unknown collection of museum "specialEvent". Did you mean "specialEvents"? (at /data/museum/specialEvent)',
  ],
  [
    file(`"data": { "museum": { "specialEvents": { "insert": [] } } }`),
    '2:44: Unknown field "insert". Did you mean "upsert"? (at /data/museum/specialEvents/insert)',
  ],
  [
    file(`"data": { "museum": { "specialEvents": { "upsert": [ { "name": "x" } ] } } }`),
    ["eventId", "location", "eventDescription", "dates", "price"]
      .map((field) => `2:56: ${field} is required. (at /data/museum/specialEvents/upsert/0)`)
      .join("\nwrong.json:"),
  ],
  [
    file(
      `"data": { "museum": { "specialEvents": { "upsert": [ { "eventId": "0b6d1f0e-5d0a-4c57-9a53-6a4f5a2f7c11", "name": "x", "location": "x", "eventDescription": "x", "dates": [], "price": 1, "prize": 2 } ] } } }`,
    ),
    '2:189: Unknown field "prize". Did you mean "price"? (at /data/museum/specialEvents/upsert/0/prize)',
  ],
  [
    file(`"extends": ["museum-emty"]`),
    '2:15: Unknown scenario "museum-emty". Did you mean "museum-empty"? (at /extends/0)',
  ],
  [file(`"extends": ["../other.json"]`), '2:15: Unknown scenario "../other.json". (at /extends/0)'],
];

describe("a scenario file is refused", () => {
  test.each(CASES)("%j", (text, told) => {
    const refusal = refusalOf(text);
    expect(withoutList(refusal.message)).toBe(`wrong.json:${told}`);
    expect(refusal.code).toBe("badScenario");
  });
});
