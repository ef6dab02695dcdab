"""More scenarios for the plugin in docs/recipes/python.md; recipes.slow.test.ts runs them there."""
import json
import urllib.error
import urllib.request
import pytest
from client import HEADERS
from test_client import LAMPS

ADA = "ada@example.test"

def send(method, url, body=None, timeout=5, **headers):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {**HEADERS, "Accept": "application/json", **headers}, method=method)
    with urllib.request.urlopen(request, timeout=timeout) as response:
        return json.load(response)

def refuse(*args, **kwargs):
    with pytest.raises(urllib.error.HTTPError) as error:
        send(*args, **kwargs)
    return error.value.code, error.value.headers["Retry-After"]

def log_in(world):
    login = {"email": ADA, "password": "Vitrine!2026"}
    return "Bearer " + send("POST", world.urls["account"] + "/login", login)["token"]

def test_logs_in_once_for_many_calls(world):
    token = log_in(world)
    for path in ["/pre-sales", "/consumptions"]:
        send("GET", world.urls["account"] + path, Authorization=token)
    world.verify(operation="account.login", times=1)

def test_logs_in_again_if_the_token_expires(world):
    expired = world.control("POST", "/tokens", {"user": ADA, "kind": "expired"})["token"]
    assert refuse("GET", world.urls["account"] + "/pre-sales", Authorization=f"Bearer {expired}") == (401, None)
    log_in(world)
    world.control("POST", "/clock/advance", {"by": "25h"})
    log_in(world)
    world.verify(problem="tokenExpired", times=1)

def test_learns_when_a_throttled_login_is_possible(world):
    log_in(world)
    login = {"email": ADA, "password": "Vitrine!2026"}
    assert refuse("POST", world.urls["account"] + "/login", login) == (429, "86400")

def test_succeeds_after_two_errors(world):
    busy = {"respond": {"status": 503, "headers": {"Retry-After": "7"}}}
    world.use({"limit": {"times": 2}, "then": busy})
    hours = world.urls["museum"] + "/museum-hours"
    assert [refuse("GET", hours), refuse("GET", hours)] == [(503, "7"), (503, "7")]
    assert send("GET", hours)

def test_gives_up_on_a_slow_response(world):
    world.use({"then": {"delay": "60s"}})
    with pytest.raises(TimeoutError):
        send("GET", world.urls["museum"] + "/museum-hours", timeout=0.2)
    world.verify(operation="museum.getMuseumHours", gone=True, times=1, within="5s")

def test_receives_an_event_twice_if_the_list_changes(world):
    events = world.urls["museum"] + "/special-events"
    first = send("GET", events)
    send("POST", events, LAMPS)
    ids = [event["eventId"] for event in first + send("GET", f"{events}?page=2")]
    assert len(ids) == len(set(ids)) + 1

def test_is_alerted_if_usage_leaves_too_little_credit(world):
    world.control("PUT", "/scenario", {"name": "presale-nearly-used-up"})
    world.control("POST", "/usage", {"sent": 1, "user": ADA})
    assert len(world.control("GET", "/mailbox?to=ops@example.test")) == 1
