// Forty-odd scenario files with a mistake in them: each is refused with its place and what would be valid.

import { describe, expect, test } from "vitest";
import { scenarios as library } from "../../src/places/node/scenario-files.ts";
import { loadScenario, ScenarioText } from "../../src/scenario/scenario.ts";
import { services } from "../../src/services/index.ts";
import { UsageError } from "../../src/world/usage-error.ts";

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
const withoutList = (message: string): string => message.replace(/ Known: [^(]*?\.(?= \(at| Write|$)/, "");

const CASES: readonly (readonly [about: string, text: string, told: string])[] = [
  ["an empty file", "", '1:1: The file is empty. The smallest scenario is { "version": 1 }.'],
  ["no JSON", "hello", "1:1: This is not valid JSON: this is not a JSON value."],
  [
    "a byte order mark",
    '\uFEFF{ "version": 1 }',
    "1:1: The file begins with a byte order mark. Save it as UTF-8 without BOM.",
  ],
  [
    "a trailing comma in an object",
    file(`"title": "x",`),
    "3:1: This is not valid JSON: a property name in double quotes is expected (no trailing comma).",
  ],
  [
    "a trailing comma in a list",
    file(`"extends": ["default",]`),
    "2:25: This is not valid JSON: a value is expected (no trailing comma).",
  ],
  ["a comment", file(`// no comments`), "2:3: This is not valid JSON: comments are not allowed."],
  [
    "a missing comma",
    file(`"title": "x" "description": "y"`),
    "2:16: This is not valid JSON: a comma is missing.",
  ],
  [
    "something after the end",
    '{ "version": 1 }\n{}',
    "2:1: This is not valid JSON: unexpected content after the end.",
  ],
  [
    "a string that is not closed",
    file(`"title": "x`),
    "2:12: This is not valid JSON: a string is not closed.",
  ],
  ["a duplicate key", file(`"title": "x", "title": "y"`), '2:17: Duplicate key "title". (at /title)'],
  [
    "a duplicate key deep inside",
    rule(`{ "id": "a", "then": { "problem": "x", "problem": "y" } }`),
    '2:53: Duplicate key "problem". (at /rules/0/then/problem)',
  ],
  [
    "__proto__",
    file(`"settings": { "__proto__": { "strict": true } }`),
    '2:17: The key "__proto__" is not allowed here. (at /settings/__proto__)',
  ],
  [
    "constructor.prototype",
    file(`"data": { "constructor": { "prototype": {} } }`),
    '2:30: The key "prototype" is not allowed here. (at /data/constructor/prototype)',
  ],
  ["no version", '{\n  "title": "x"\n}', "1:1: version is required."],
  ["another version", '{\n  "version": 2\n}', "2:14: version must be 1, not 2. (at /version)"],
  ["a list instead of an object", "\n  []", "2:3: This must be an object, not an array."],
  [
    "a typing mistake in a key of the file",
    file(`"ruls": []`),
    '2:3: Unknown field "ruls". Did you mean "rules"? (at /ruls)',
  ],
  [
    "a typing mistake in a key of a rule",
    rule(`{ "wen": {}, "then": { "pass": true } }`),
    '2:16: Unknown field "wen". Did you mean "when"? (at /rules/0/wen)',
  ],
  [
    "a typing mistake in a key of when",
    rule(`{ "when": { "operatoin": "account.login" }, "then": { "pass": true } }`),
    '2:26: Unknown field "operatoin". Did you mean "operation"? (at /rules/0/when/operatoin)',
  ],
  [
    "a typing mistake in a key of limit",
    rule(`{ "limit": { "time": 1 }, "then": { "pass": true } }`),
    '2:27: Unknown field "time". Did you mean "times"? (at /rules/0/limit/time)',
  ],
  [
    "a typing mistake in a key of then",
    rule(`{ "then": { "probelm": "x" } }`),
    '2:26: Unknown field "probelm". Did you mean "problem"? (at /rules/0/then/probelm)',
  ],
  [
    "a typing mistake in a key of respond",
    rule(`{ "then": { "respond": { "staus": 503 } } }`),
    '2:39: Unknown field "staus". Did you mean "status"? (at /rules/0/then/respond/staus)',
  ],
  [
    "a typing mistake in a key of a delay",
    rule(`{ "then": { "delay": { "lognormal": { "medain": "1s", "sigma": 1, "max": "2s" } } } }`),
    '2:52: Unknown field "medain". Did you mean "median"? (at /rules/0/then/delay/lognormal/medain)',
  ],
  [
    "a typing mistake in a key of the clock",
    file(`"clock": { "att": "2026-03-01" }`),
    '2:14: Unknown field "att". Did you mean "at"? (at /clock/att)',
  ],
  [
    "a typing mistake in a key of expect",
    file(`"expect": { "unusedRule": "fail" }`),
    '2:15: Unknown field "unusedRule". Did you mean "unusedRules"? (at /expect/unusedRule)',
  ],
  [
    "a typing mistake in an operation",
    rule(`{ "when": { "operation": "account.createPresaleAction" }, "then": { "pass": true } }`),
    '2:39: Unknown operation "account.createPresaleAction". Did you mean "account.createPreSaleAction"? (at /rules/0/when/operation)',
  ],
  [
    "a typing mistake in one operation of a list",
    rule(`{ "when": { "operation": ["account.login", "account.logn"] }, "then": { "pass": true } }`),
    '2:57: Unknown operation "account.logn". Did you mean "account.login"? (at /rules/0/when/operation/1)',
  ],
  [
    "a glob that means no operation",
    rule(`{ "when": { "operation": "museum.lits*" }, "then": { "pass": true } }`),
    '2:39: Unknown operation "museum.lits*". (at /rules/0/when/operation)',
  ],
  [
    "an unknown environment",
    rule(`{ "when": { "environment": "acountSandbox" }, "then": { "pass": true } }`),
    '2:41: Unknown environment "acountSandbox". Did you mean "accountSandbox"? (at /rules/0/when/environment)',
  ],
  [
    "an operation in an environment where it is not served",
    rule(`{ "when": { "operation": "account.login", "environment": "museum" }, "then": { "pass": true } }`),
    "2:71: None of these operations is served in that environment. (at /rules/0/when/environment)",
  ],
  [
    "an operation and the path of another",
    rule(`{ "when": { "operation": "account.login", "path": "/logout" }, "then": { "pass": true } }`),
    "2:64: None of these operations has that path. (at /rules/0/when/path)",
  ],
  [
    "an unknown method",
    rule(`{ "when": { "method": "GTE", "path": "/login" }, "then": { "pass": true } }`),
    '2:36: Unknown method "GTE". Did you mean "GET"? (at /rules/0/when/method)',
  ],
  [
    "a typing mistake in a field of the body",
    rule(
      `{ "when": { "operation": "account.createPreSaleAction", "body": { "treshold": 5 } }, "then": { "pass": true } }`,
    ),
    '2:80: Unknown field of the body "treshold". Did you mean "threshold"? (at /rules/0/when/body/treshold)',
  ],
  [
    "a typing mistake in a query parameter",
    rule(
      `{ "when": { "operation": "museum.listSpecialEvents", "query": { "startdate": "2026-03-01" } }, "then": { "pass": true } }`,
    ),
    '2:78: Unknown field of the query "startdate". Did you mean "startDate"? (at /rules/0/when/query/startdate)',
  ],
  [
    "a typing mistake in a path parameter",
    rule(
      `{ "when": { "operation": "museum.getSpecialEvent", "params": { "eventID": "x" } }, "then": { "pass": true } }`,
    ),
    '2:77: Unknown field of the params "eventID". Did you mean "eventId"? (at /rules/0/when/params/eventID)',
  ],
  [
    "a body for an operation that has none",
    rule(
      `{ "when": { "operation": "museum.getSpecialEvent", "body": { "name": "x" } }, "then": { "pass": true } }`,
    ),
    "2:65: museum.getSpecialEvent has no body. (at /rules/0/when/body)",
  ],
  [
    "an unknown operator",
    rule(`{ "when": { "query": { "page": { "$gtt": 1 } } }, "then": { "pass": true } }`),
    '2:55: Unknown operator "$gtt". Did you mean "$gt"? (at /rules/0/when/query/page/$gtt)',
  ],
  [
    "an operator beside a field",
    rule(`{ "when": { "body": { "$exists": true, "name": "x" } }, "then": { "pass": true } }`),
    '2:61: Unknown operator "name". (at /rules/0/when/body/name)',
  ],
  [
    "a broken regular expression",
    rule(`{ "when": { "accept": { "$regex": "(" } }, "then": { "pass": true } }`),
    "2:48: $regex is not a regular expression of RE2 syntax: error parsing regexp: missing closing ): `(`. (at /rules/0/when/accept/$regex)",
  ],
  [
    "an unknown type",
    rule(`{ "when": { "body": { "$type": "int" } }, "then": { "pass": true } }`),
    '2:45: Unknown type "int". (at /rules/0/when/body/$type)',
  ],
  [
    "an operand of the wrong type",
    rule(`{ "when": { "query": { "page": { "$gt": [1] } } }, "then": { "pass": true } }`),
    "2:54: $gt must be a number or a string. (at /rules/0/when/query/page/$gt)",
  ],
  [
    "an unknown problem",
    rule(
      `{ "when": { "operation": "account.createPreSaleAction" }, "then": { "problem": "invalidActoin" } }`,
    ),
    '2:93: Unknown problem of account.createPreSaleAction "invalidActoin". Did you mean "invalidAction"? (at /rules/0/then/problem)',
  ],
  [
    "a problem of another operation",
    rule(`{ "when": { "operation": "account.login" }, "then": { "problem": "invalidAction" } }`),
    '2:79: Unknown problem of account.login "invalidAction". (at /rules/0/then/problem)',
  ],
  [
    "a problem that not all named operations document",
    rule(`{ "when": { "operation": "account.*" }, "then": { "problem": "preSaleNotFound" } }`),
    '2:75: Unknown problem of account.login "preSaleNotFound". Did you mean "pathNotFound"? (at /rules/0/then/problem)',
  ],
  [
    "a status that is not documented",
    rule(`{ "when": { "operation": "account.login" }, "then": { "respond": { "status": 418 } } }`),
    '2:91: account.login does not document the status 418. Write "undocumented": true next to respond if that is intended. (at /rules/0/then/respond/status)',
  ],
  [
    "a status that is none",
    rule(`{ "then": { "respond": { "status": 99 } } }`),
    "2:49: status must be at least 200, not 99. (at /rules/0/then/respond/status)",
  ],
  [
    "a body where none can be",
    rule(
      `{ "when": { "operation": "museum.deleteSpecialEvent" }, "then": { "respond": { "status": 204, "body": {} } } }`,
    ),
    "2:116: A 204 has no body. (at /rules/0/then/respond/body)",
  ],
  [
    "a line break in a header",
    rule(`{ "then": { "respond": { "status": 503, "headers": { "x-a": "b\\r\\nc: d" } } } }`),
    "2:74: x-a may hold no control characters and nothing beyond Latin-1. (at /rules/0/then/respond/headers/x-a)",
  ],
  [
    "a header that frames the reply",
    rule(`{ "then": { "respond": { "status": 503, "headers": { "Content-Length": "5" } } } }`),
    "2:67: Content-Length is the connection's own header; use a fault to break it. (at /rules/0/then/respond/headers/Content-Length)",
  ],
  [
    "a header name that is none",
    rule(`{ "then": { "respond": { "status": 503, "headers": { "x a": "b" } } } }`),
    "2:67: x a is not the name of a header. (at /rules/0/then/respond/headers/x a)",
  ],
  [
    "an unknown fault",
    rule(`{ "then": { "fault": "rest" } }`),
    '2:35: Unknown fault "rest". Did you mean "reset"? (at /rules/0/then/fault)',
  ],
  [
    "two effects at once",
    rule(`{ "then": { "fault": "reset", "problem": "x" } }`),
    "2:35: Only one of problem, respond, fault, mutate, hold, pass is allowed, not problem and fault. (at /rules/0/then/fault)",
  ],
  [
    "no effect",
    rule(`{ "then": {} }`),
    '2:24: "then" must contain one of problem, respond, fault, mutate, hold, pass, sequence, delay, advance. (at /rules/0/then)',
  ],
  [
    "a text without a problem",
    rule(`{ "then": { "fault": "reset", "title": "x" } }`),
    '2:53: "title" is only allowed together with "problem". (at /rules/0/then/title)',
  ],
  [
    "an effect beside a sequence",
    rule(`{ "then": { "sequence": [ { "pass": true } ], "fault": "reset" } }`),
    '2:69: Set "fault" on the steps of the sequence, not next to it. (at /rules/0/then/fault)',
  ],
  [
    "an unknown end of a sequence",
    rule(`{ "then": { "sequence": [ { "pass": true } ], "after": "loop" } }`),
    '2:69: Unknown after "loop". (at /rules/0/then/after)',
  ],
  [
    "an unknown named mutation",
    rule(`{ "then": { "mutate": "drp:/name" } }`),
    "2:36: mutate must be extra, empty, drop:/field, null:/field, enum:/field or long:/field, or a list of these. (at /rules/0/then/mutate)",
  ],
  [
    "a mutation before there is a reply",
    rule(`{ "at": "handler", "then": { "mutate": "extra" } }`),
    '2:22: This changes a reply and so needs "at": "response", not "handler". (at /rules/0/at)',
  ],
  [
    "a body that is not known yet",
    rule(`{ "at": "edge", "when": { "body": { "price": 1 } }, "then": { "fault": "reset" } }`),
    "2:22: Query, body and user are not known at edge yet; the earliest stage for this rule is handler. (at /rules/0/at)",
  ],
  [
    "a path with the base address before it",
    rule(`{ "when": { "path": "/museum/v1.1/museum-hours" }, "then": { "respond": { "status": 503 } } }`),
    '2:34: A path is relative to the base address: write "/museum-hours". (at /rules/0/when/path)',
  ],
  [
    "a path with a parameter in braces",
    rule(`{ "when": { "path": "/special-events/{eventId}" }, "then": { "respond": { "status": 503 } } }`),
    '2:34: No request has braces in its path: write "/special-events/*", or name the operation. (at /rules/0/when/path)',
  ],
  [
    "an operation without its service",
    rule(`{ "when": { "operation": "getMuseumHours" }, "then": { "pass": true } }`),
    '2:39: Unknown operation "getMuseumHours". Did you mean "museum.getMuseumHours"? (at /rules/0/when/operation)',
  ],
  [
    "an operator without its $",
    rule(`{ "when": { "headers": { "user-agent": { "contains": "shop" } } }, "then": { "pass": true } }`),
    '2:53: A header is a text, never an object: conditions on it are operators such as { "$contains": "…" }. (at /rules/0/when/headers/user-agent)',
  ],
  [
    "an object where a user is meant",
    rule(`{ "when": { "user": { "name": "ada" } }, "then": { "pass": true } }`),
    '2:34: The user is a text, never an object: conditions on it are operators such as { "$contains": "…" }. (at /rules/0/when/user)',
  ],
  [
    "a window that closes before it opens",
    rule(`{ "limit": { "from": "+10m", "until": "+5m" }, "then": { "pass": true } }`),
    '2:52: The window closes before it opens: until must come after from, not "+5m". (at /rules/0/limit/until)',
  ],
  [
    "a dribble in simulated time",
    rule(`{ "then": { "delay": { "dribble": { "chunks": 3, "over": "1s" } }, "clock": "virtual" } }`),
    "2:90: A dribble takes wall time: it cannot wait for the sandbox's clock. (at /rules/0/then/clock)",
  ],
  [
    "a sequence whose refusal would come after the work",
    rule(
      `{ "when": { "operation": "museum.createSpecialEvent" }, "then": { "sequence": [ { "problem": "invalidInput" }, { "mutate": "extra" } ] } }`,
    ),
    '2:94: This would answer when the work is done: another action of the sequence changes a reply, so that all act at "response". Write "at": "response" if that is intended, or two rules. (at /rules/0/then/sequence/0)',
  ],
  [
    "an unknown stage",
    rule(`{ "at": "handlr", "then": { "pass": true } }`),
    '2:22: Unknown at "handlr". Did you mean "handler"? (at /rules/0/at)',
  ],
  [
    "a delay that is no duration",
    rule(`{ "then": { "delay": "fast" } }`),
    '2:35: "fast" is not a duration. Write a number with ms, s, m, h or d, such as "500ms", "30s" or "24h". (at /rules/0/then/delay)',
  ],
  [
    "a delay of more than a minute",
    rule(`{ "then": { "delay": "61s" } }`),
    "2:35: delay must be at most 60s: longer waits are not waited for, use the clock. (at /rules/0/then/delay)",
  ],
  [
    "no times at all",
    rule(`{ "limit": { "times": 0 }, "then": { "pass": true } }`),
    "2:36: times must be at least 1, not 0. (at /rules/0/limit/times)",
  ],
  [
    "a chance above one",
    rule(`{ "limit": { "chance": 1.5 }, "then": { "pass": true } }`),
    "2:37: chance must be at most 1, not 1.5. (at /rules/0/limit/chance)",
  ],
  [
    "a window that is no instant",
    rule(`{ "limit": { "from": "tomorrow" }, "then": { "pass": true } }`),
    '2:35: "tomorrow" is not an instant such as "2026-03-01T09:00:00Z", nor an offset with its sign such as "+3d" or "-2h". (at /rules/0/limit/from)',
  ],
  [
    "a key of limit beside it",
    rule(`{ "times": 1, "then": { "pass": true } }`),
    '2:16: The field "times" belongs in "limit". (at /rules/0/times)',
  ],
  [
    "an operation outside when",
    rule(`{ "operation": "account.login", "then": { "pass": true } }`),
    '2:16: The field "operation" belongs in "when". (at /rules/0/operation)',
  ],
  [
    "an effect outside then",
    rule(`{ "problem": "badCredentials", "when": { "operation": "account.login" } }`),
    '2:16: The field "problem" belongs in "then". (at /rules/0/problem)',
  ],
  [
    "a status outside respond",
    rule(`{ "then": { "status": 503 } }`),
    '2:26: The field "status" belongs in "respond". (at /rules/0/then/status)',
  ],
  [
    "a limit inside then",
    rule(`{ "then": { "pass": true, "times": 1 } }`),
    '2:40: The field "times" belongs in "limit", next to "then". (at /rules/0/then/times)',
  ],
  [
    "a stage inside then",
    rule(`{ "then": { "fault": "reset", "at": "response" } }`),
    '2:44: The field "at" belongs next to "then". (at /rules/0/then/at)',
  ],
  [
    "what follows a sequence, inside a step of it",
    rule(`{ "then": { "sequence": [{ "pass": true }, { "fault": "reset", "after": "last" }] } }`),
    '2:77: The field "after" belongs next to "sequence". (at /rules/0/then/sequence/1/after)',
  ],
  [
    "a status instead of an answer",
    rule(`{ "then": { "respond": 503 } }`),
    "2:37: respond must be an object, not a number. (at /rules/0/then/respond)",
  ],
  [
    "a word instead of an effect",
    rule(`{ "then": "reset" }`),
    "2:24: then must be an object, not a string. (at /rules/0/then)",
  ],
  [
    "a delay as a number",
    rule(`{ "then": { "delay": 800 } }`),
    '2:35: delay must be a duration such as "500ms", or an object of uniform, lognormal or dribble. (at /rules/0/then/delay)',
  ],
  [
    "a count that is not whole",
    rule(`{ "limit": { "times": 1.5 }, "then": { "pass": true } }`),
    "2:36: times must be a whole number, not 1.5. (at /rules/0/limit/times)",
  ],
  [
    "a count as a text",
    rule(`{ "limit": { "times": "2" }, "then": { "pass": true } }`),
    "2:36: times must be a number, not a string. (at /rules/0/limit/times)",
  ],
  [
    "half a range",
    rule(`{ "then": { "delay": { "uniform": ["1s"] } } }`),
    "2:48: uniform must have at least 2 items, not 1. (at /rules/0/then/delay/uniform)",
  ],
  [
    "a sequence of nothing",
    rule(`{ "then": { "sequence": [] } }`),
    "2:38: sequence must have at least 1 item, not 0. (at /rules/0/then/sequence)",
  ],
  [
    "a header that is a number",
    rule(`{ "then": { "respond": { "status": 503, "headers": { "Retry-After": 2 } } } }`),
    "2:82: Retry-After must be a string, not a number. (at /rules/0/then/respond/headers/Retry-After)",
  ],
  [
    "a field of a violation that is called otherwise elsewhere",
    rule(
      `{ "when": { "operation": "account.createPreSaleAction" }, "then": { "problem": "invalidAction", "violations": [ { "path": "threshold", "message": "x" } ] } }`,
    ),
    '2:128: Unknown field "path". (at /rules/0/then/violations/0/path)',
  ],
  [
    "a sequence in a sequence",
    rule(`{ "then": { "sequence": [ { "sequence": [] } ] } }`),
    '2:42: Unknown field "sequence". (at /rules/0/then/sequence/0/sequence)',
  ],
  [
    "pass that is not meant",
    rule(`{ "then": { "pass": false } }`),
    "2:34: pass must be true, or left out. (at /rules/0/then/pass)",
  ],
  ["a rule without then", rule(`{ "id": "a" }`), "2:14: then is required. (at /rules/0)"],
  [
    "two rules of one id",
    rule(`{ "id": "a", "then": { "pass": true } }, { "id": "a", "then": { "pass": true } }`),
    '2:63: Two rules have the id "a". (at /rules/1/id)',
  ],
  [
    "a path that cannot be one",
    rule(`{ "when": { "path": "museum-hours" }, "then": { "pass": true } }`),
    "2:34: path must begin with / or *. (at /rules/0/when/path)",
  ],
  [
    "an id with a space",
    rule(`{ "id": "a b", "then": { "pass": true } }`),
    "2:22: id must begin with a letter or digit and have no spaces. (at /rules/0/id)",
  ],
  [
    "an instant that is not in the calendar",
    file(`"clock": { "at": "2026-02-30" }`),
    '2:20: "2026-02-30" is not an instant such as "2026-03-01T09:00:00Z", nor an offset with its sign such as "+3d" or "-2h". (at /clock/at)',
  ],
  [
    "an unknown service in settings",
    file(`"settings": { "musem": {} }`),
    '2:17: Unknown service "musem". Did you mean "museum"? (at /settings/musem)',
  ],
  [
    "a setting without its service",
    file(`"settings": { "tokenLifetime": "90s" }`),
    '2:17: The setting "tokenLifetime" belongs in "account". (at /settings/tokenLifetime)',
  ],
  [
    "a setting beside the group it is in",
    file(`"settings": { "account": { "onRepeat": "allow" } }`),
    '2:30: The field "onRepeat" belongs in "login". (at /settings/account/onRepeat)',
  ],
  [
    "a collection without its environment",
    file(`"data": { "specialEvents": { "generate": 3 } }`),
    '2:13: The collection "specialEvents" belongs in "museum". (at /data/specialEvents)',
  ],
  [
    "an unknown setting",
    file(`"settings": { "account": { "login": { "evry": "24h" } } }`),
    '2:41: Unknown field "evry". Did you mean "every"? (at /settings/account/login/evry)',
  ],
  [
    "a setting of the wrong value",
    file(`"settings": { "account": { "profile": "api-platform-3" } }`),
    '2:41: Unknown profile "api-platform-3". Did you mean "api-platform-2"? (at /settings/account/profile)',
  ],
  [
    "an unknown environment in data",
    file(`"data": { "museums": {} }`),
    '2:13: Unknown environment "museums". Did you mean "museum"? (at /data/museums)',
  ],
  [
    "an unknown collection",
    file(`"data": { "museum": { "specialEvent": {} } }`),
    '2:25: Unknown collection of museum "specialEvent". Did you mean "specialEvents"? (at /data/museum/specialEvent)',
  ],
  [
    "an unknown change of data",
    file(`"data": { "museum": { "specialEvents": { "insert": [] } } }`),
    '2:44: Unknown field "insert". Did you mean "upsert"? (at /data/museum/specialEvents/insert)',
  ],
  [
    "an entity without a field",
    file(`"data": { "museum": { "specialEvents": { "upsert": [ { "name": "x" } ] } } }`),
    ["eventId", "location", "eventDescription", "dates", "price"]
      .map((field) => `2:56: ${field} is required. (at /data/museum/specialEvents/upsert/0)`)
      .join("\nwrong.json:"),
  ],
  [
    "a field that an entity does not have",
    file(
      `"data": { "museum": { "specialEvents": { "upsert": [ { "eventId": "0b6d1f0e-5d0a-4c57-9a53-6a4f5a2f7c11", "name": "x", "location": "x", "eventDescription": "x", "dates": [], "price": 1, "prize": 2 } ] } } }`,
    ),
    '2:189: Unknown field "prize". Did you mean "price"? (at /data/museum/specialEvents/upsert/0/prize)',
  ],
  [
    "an unknown scenario beneath",
    file(`"extends": ["museum-emty"]`),
    '2:15: Unknown scenario "museum-emty". Did you mean "museum-empty"? (at /extends/0)',
  ],
  [
    "a path that leads out of the folder",
    file(`"extends": ["../other.json"]`),
    '2:15: Unknown scenario "../other.json". (at /extends/0)',
  ],
];

describe("a scenario file is refused", () => {
  test.each(CASES)("%s", (_about, text, told) => {
    const refusal = refusalOf(text);
    expect(withoutList(refusal.message)).toBe(`wrong.json:${told}`);
    expect(refusal.code).toBe("badScenario");
  });
});
