"""Names that a server answers to, and pages that may write to it."""

import pytest
from tests.tables import values

from fabula.callers import LOOPBACK, Callers, own_names


def status(method="GET", *, callers=None, **headers):
    sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    found = (callers or Callers()).refusal(sent, method)
    return found.status if found else 200


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:8000", "[::1]:8000", "LOCALHOST.", "127.0.0.1:9"])
def test_this_machine_is_known(host):
    assert status(host=host) == 200


@pytest.mark.parametrize("host", [cell for (cell,) in values(__file__, "other_names.tsv")])
def test_other_names_are_not(host):
    assert status(host=host) == 421


def test_a_request_names_one_host_and_given_names_are_known():
    assert status() == 421
    assert Callers().refusal([(b"host", b"127.0.0.1"), (b"Host", b"a.example")], "GET").status == 421
    names = own_names("192.0.2.7", ["Books.Example", "[2001:db8::1]"])
    assert names == LOOPBACK | {"192.0.2.7", "books.example", "2001:db8::1"}
    assert own_names("::") == own_names("") == LOOPBACK
    assert status(host="books.example:80", callers=Callers(names)) == 200


@pytest.mark.parametrize(
    ("origin", "site", "right"),
    values(__file__, "pages_of_others_do_not_write.tsv"),
)
def test_pages_of_others_do_not_write(origin, site, right):
    headers = {"host": "localhost:8000"}
    headers |= {"origin": origin} if origin is not None else {}
    headers |= {"sec_fetch_site": site} if site is not None else {}
    assert status("POST", **headers) == right
    assert status("DELETE", **headers) == right
    assert status("WEBSOCKET", **headers) == right
    assert status("GET", **headers) == 200


def test_origins_with_and_without_their_port():
    callers = Callers(origins=frozenset({"https://notes.example"}))
    sent = {"host": "localhost:8000", "sec_fetch_site": "cross-site"}
    assert status("POST", callers=callers, origin="https://notes.example", **sent) == 200
    assert status("POST", callers=callers, origin="https://other.example", **sent) == 403
    callers = Callers(frozenset({"books.example"}))
    assert status("POST", callers=callers, host="books.example", origin="https://books.example") == 200
    assert status("POST", callers=callers, host="books.example:443", origin="https://books.example") == 200
    assert status("POST", callers=callers, host="books.example:80", origin="https://books.example") == 403
