"""More tests of the client in docs/recipes/python.md; recipes.slow.test.ts runs them there."""
import urllib.error
import pytest
from client import Client
from test_client import LAMPS

def test_logs_in_again_if_the_token_expires(world):
    client = Client(world.urls)
    client.token = world.token("ada@example.test", "expired")
    client.as_user("GET", "/pre-sales")
    world.advance("25h")
    client.as_user("GET", "/pre-sales")
    world.verify(problem="tokenExpired", times=2)

def test_learns_when_a_throttled_login_is_possible(world):
    Client(world.urls).as_user("GET", "/pre-sales")
    with pytest.raises(urllib.error.HTTPError) as throttled:
        Client(world.urls).as_user("GET", "/pre-sales")
    assert (throttled.value.code, throttled.value.headers["Retry-After"]) == (429, "86400")

def test_lists_each_event_once_if_the_list_changes(world):
    events = Client(world.urls).events()
    ids = [next(events)["eventId"] for _ in range(10)]
    Client(world.urls).add_event(LAMPS)
    ids += [event["eventId"] for event in events]
    assert len(ids) == len(set(ids)) == 14

def test_orders_an_alert_that_usage_sends(world):
    world.control("PUT", "/scenario", {"name": "presale-healthy"})
    client = Client(world.urls)
    [pre_sale] = client.as_user("GET", "/pre-sales")
    alert = {"action_type": "alert_mail", "target": "desk@example.test", "enabled": True}
    client.as_user("POST", "/pre-sale-actions", {**alert, "threshold": 880, "pre_sale_uuid": pre_sale["uuid"]})
    world.control("POST", "/usage", {"sent": 1, "user": "ada@example.test"})
    assert len(world.control("GET", "/mailbox?to=desk@example.test")) == 1
