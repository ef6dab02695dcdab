#!/usr/bin/env python3
"""A whole test, steered over the control API, with nothing but Python's standard library.

Run it as `vitrine exec -- python3 control_api.py`: the addresses then stand in the environment.
"""

import base64
import json
import os
import sys
from dataclasses import dataclass
from typing import Any, List, Mapping, Optional
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

ADA = {"email": "ada@example.test", "password": "Vitrine!2026"}
GUIDE = {"Authorization": "Basic " + base64.b64encode(b"guide:secret").decode()}
EVENT = {
    "name": "Night of the lamps",
    "location": "Hall 2",
    "eventDescription": "After dark",
    "dates": ["2026-03-31"],
    "price": 12.5,
}


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    body: Any


def call(method: str, url: str, body: Any = None, headers: Optional[Mapping[str, str]] = None) -> Reply:
    """One request with JSON both ways. A refusal is an answer like any other."""
    head = {"Accept": "application/json", **(headers or {})}
    if body is not None:
        head["Content-Type"] = "application/json"
    data = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(url, data, head, method=method), timeout=10) as answer:
            return read(answer)
    except HTTPError as refusal:
        with refusal:
            return read(refusal)


def read(answer: Any) -> Reply:
    text = answer.read().decode()
    is_json = "json" in (answer.headers.get("Content-Type") or "")
    return Reply(answer.status, answer.headers, json.loads(text) if is_json and text else text)


def expect(what: str, found: Any, wanted: Any) -> None:
    if found != wanted:
        sys.exit(f"BROKEN  {what}: expected {wanted!r}, found {found!r}")


def step(text: str) -> None:
    print(f"ok      {text}", flush=True)


class World:
    """A world of its own: clock, data, rules, keys, mailbox and journal that no other test sees."""

    def __init__(self, control: str, name: str) -> None:
        made = call("POST", f"{control}/worlds", {"name": name})
        expect(f"making the world {name}", made.status, 201)
        self.museum = made.body["urls"]["museum"]
        self.account = made.body["urls"]["account"]
        self.control = made.body["urls"]["control"]
        self._address = f"{control}/worlds/{quote(name)}"

    def say(self, method: str, path: str, body: Any = None) -> Any:
        """One verb of the control API, which must succeed."""
        reply = call(method, f"{self.control}/{path}", body)
        if reply.status >= 300:
            sys.exit(f"BROKEN  {method} {path}: {reply.status} {reply.body}")
        return reply.body

    def log_in(self) -> Reply:
        return call("POST", f"{self.account}/login", ADA)

    def events(self) -> Reply:
        return call("GET", f"{self.museum}/special-events", headers=GUIDE)

    def profile(self, token: str) -> Reply:
        return call("GET", f"{self.account}/users/me", headers={"Authorization": f"Bearer {token}"})

    def delete(self) -> None:
        expect("deleting the world", call("DELETE", self._address).status, 204)


def main() -> None:
    control = os.environ.get("VITRINE_CONTROL_URL")
    if control is None:
        sys.exit("VITRINE_CONTROL_URL is not set. Run this as: vitrine exec -- python3 control_api.py")

    world = World(control, "python")
    expect("the world's address", "/~python/museum/" in world.museum, True)
    step(f"made a world of its own at {world.control}")

    world.say("PUT", "scenario", {"name": "presale-nearly-used-up"})
    expect("the scenario in force", world.say("GET", "scenario")["name"], "presale-nearly-used-up")
    step("laid the scenario presale-nearly-used-up")

    world.say("PUT", "clock", {"at": "2026-03-05T09:00:00Z", "mode": "frozen"})
    expect("the clock", world.say("GET", "clock"), {"at": "2026-03-05T09:00:00.000Z", "mode": "frozen"})
    step("froze the clock on 5 March 2026")

    rule = {
        "id": "busy",
        "when": {"operation": "museum.listSpecialEvents"},
        "limit": {"times": 1},
        "then": {"respond": {"status": 503, "headers": {"Retry-After": "5"}}},
    }
    expect("the rule's id", world.say("POST", "rules", rule), {"id": "busy"})
    busy = world.events()
    expect("the first list of events", (busy.status, busy.headers["Retry-After"]), (503, "5"))
    expect("the second list of events", world.events().status, 200)
    step("a rule made the museum busy, once")

    first = world.log_in()
    expect("the first login", first.status, 200)
    expect("the profile's mail", world.profile(first.body["token"]).body["email"], ADA["email"])
    throttled = world.log_in()
    expect("the second login", (throttled.status, throttled.headers["Retry-After"]), (429, "86400"))
    step("logged in, and was throttled the second time")

    world.say("POST", "clock/advance", {"by": "24h"})
    expect("the old token a day later", world.profile(first.body["token"]).status, 401)
    expect("the login a day later", world.log_in().status, 200)
    step("a day later the token is old, and the next login good")

    mails: List[Any] = []
    invoices = 0
    while not mails and invoices < 20:
        world.say("POST", "usage", {"sent": 1, "user": ADA["email"]})
        invoices += 1
        mails = world.say("GET", "mailbox?to=ops%40example.test")
    expect("alert mails", len(mails), 1)
    expect("the mail's time", mails[0]["at"], "2026-03-06T09:00:00.000Z")
    step(f"the alert came after {invoices} invoice(s): {mails[0]['subject']}")

    expired = world.say("POST", "tokens", {"user": ADA["email"], "kind": "expired"})["token"]
    refused = world.profile(expired)
    expect("an expired token", (refused.status, refused.body["message"]), (401, "Expired JWT Token"))
    step("an expired token is refused")

    logins = {"operation": "account.login", "status": 429}
    expect("verify: one throttled login", world.say("POST", "journal/verify", {**logins, "times": 1})["ok"], True)
    wrong = world.say("POST", "journal/verify", {**logins, "times": 2})
    expect("verify: two throttled logins", (wrong["ok"], wrong["found"]), (False, 1))
    step(f"verified the journal, and was told no: {wrong['message']}")

    before = world.say("POST", "snapshots", {"name": "before"})["id"]
    made = call("POST", f"{world.museum}/special-events", EVENT, GUIDE)
    expect("the new event", made.status, 201)
    address = f"{world.museum}/special-events/{made.body['eventId']}"
    expect("the event that was made", call("GET", address, headers=GUIDE).status, 200)
    world.say("POST", f"snapshots/{before}/restore", {})
    expect("the event after the restore", call("GET", address, headers=GUIDE).status, 404)
    step("took a snapshot and went back to it")

    world.say("POST", "reset", {})
    left = [world.say("GET", what) for what in ("rules", "mailbox", "journal")]
    expect("rules, mails and journal after the reset", left, [[], [], []])
    step("reset everything")

    world.delete()
    expect("the world that is gone", world.events().status, 404)
    step("deleted the world")


if __name__ == "__main__":
    main()
