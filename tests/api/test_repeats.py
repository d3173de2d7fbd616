import threading

import pytest

from fabula.api.idempotency import Answer, Repeats, fingerprint
from fabula.api.jobs.registry import Ledger
from fabula.api.problems import Raised


@pytest.fixture
def ledger(tmp_path):
    made = Ledger(tmp_path / "server.db")
    yield made
    made.close()


@pytest.fixture
def calls():
    return []


def acting(calls, status=201):
    def act():
        calls.append(len(calls))
        return Answer(status, {"n": len(calls)}, {"Location": "/there"})

    return act


def test_another_request_under_the_key_is_refused(ledger, calls):
    repeats = Repeats(ledger, keep_days=1)
    repeats.once("k", acting(calls), owner="a", request="r")
    with pytest.raises(Raised) as refused:
        repeats.once("k", acting(calls), owner="a", request="other")
    assert refused.value.problem.status == 422
    repeats.once("k", acting(calls), owner="b", request="other")  # each owner has keys of its own
    assert len(calls) == 2


def test_a_key_in_flight_is_a_conflict(ledger, calls):
    repeats = Repeats(ledger, keep_days=1)
    inside, done = threading.Event(), threading.Event()

    def slow():
        inside.set()
        done.wait(5)
        return Answer(200, {})

    thread = threading.Thread(target=lambda: repeats.once("k", slow, owner="a", request="r"))
    thread.start()
    inside.wait(5)
    with pytest.raises(Raised) as refused:
        repeats.once("k", acting(calls), owner="a", request="r")
    done.set()
    thread.join()
    assert refused.value.problem.status == 409
    assert repeats.once("k", acting(calls), owner="a", request="r").data == {}


@pytest.mark.parametrize("atomic", [False, True])
def test_an_error_leaves_the_key_free(ledger, calls, atomic):
    repeats = Repeats(ledger, keep_days=1)

    def failing():
        raise Raised(429, "full", "no")

    with pytest.raises(Raised):
        repeats.once("k", failing, owner="a", request="r", atomic=atomic)
    repeats.once("k", acting(calls), owner="a", request="r", atomic=atomic)
    assert calls == [0]


def test_an_atomic_act_is_kept_with_its_answer_or_not_at_all(ledger):
    repeats = Repeats(ledger, keep_days=1)

    def half():
        with ledger.writing() as db:
            db.execute("INSERT INTO events VALUES ('j', 1, 'k', '{}')")
        raise Raised(500, "x", "y")

    with pytest.raises(Raised):
        repeats.once("k", half, owner="a", request="r", atomic=True)
    with ledger.reading() as db:
        assert db.execute("SELECT count(*) FROM events").fetchone()[0] == 0


def test_keys_are_forgotten_in_time_and_those_in_flight_at_a_restart(ledger, calls):
    now = [0.0]
    repeats = Repeats(ledger, keep_days=1, clock=lambda: now[0])
    repeats.once("k", acting(calls), owner="a", request="r")
    now[0] = 86_401.0
    repeats.once("other", acting(calls), owner="a", request="r")
    repeats.once("k", acting(calls), owner="a", request="another")
    assert len(calls) == 3
    with ledger.writing() as db:
        db.execute("INSERT INTO keys (owner, key, fingerprint, created) VALUES ('a', 'cut', 'r', 0)")
    again = Repeats(ledger, keep_days=1, clock=lambda: now[0])
    again.once("cut", acting(calls), owner="a", request="r")
    assert len(calls) == 4


def test_fingerprints_tell_requests_apart():
    assert fingerprint("a", "bc") != fingerprint("ab", "c")
    assert fingerprint({"x": 1, "y": 2}) == fingerprint({"y": 2, "x": 1})
