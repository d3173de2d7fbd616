"""Conversations in the project's database."""

import pytest

from fabula.core.store.conversations import Conversation, KeptTurn
from fabula.core.store.sqlite import ProjectStore
from fabula.core.types import Horizon
from fabula.errors import UsageError

ALL = Horizon()


@pytest.fixture
def store(tmp_path):
    with ProjectStore.create(tmp_path / "p") as made:
        yield made


def turn(question, answer="In the weir.", chapter=9, *, told=True):
    return KeptTurn(question, answer, chapter, told)


def test_what_is_kept_comes_back_in_order_to_another_process(store, tmp_path):
    kept = store.conversations()
    turns = [turn("Where is Cato?"), turn("And then?", "", told=False)]
    for one in turns:
        kept.add("one", one)
    kept.add("two", turn("Who sang?"))
    with ProjectStore.open(tmp_path / "p") as other:
        assert list(other.conversations().turns("one", horizon=ALL)) == turns
    assert kept.listed(horizon=ALL) == (
        Conversation("two", "Who sang?", 1),
        Conversation("one", "Where is Cato?", 2),
    )
    assert kept.turns("three", horizon=ALL) == ()


def test_at_a_horizon_nothing_is_there_that_was_asked_later(store):
    kept = store.conversations()
    for chapter in (2, 9, 5, 3):
        kept.add("one", turn(f"as of {chapter}", chapter=chapter))
    asked = [one.question for one in kept.turns("one", horizon=Horizon(3))]
    assert asked == ["as of 2", "as of 3"]
    assert kept.listed(horizon=Horizon(3)) == (Conversation("one", "as of 2", 2),)
    assert kept.listed(horizon=Horizon(1)) == ()


def test_what_is_deleted_is_gone_from_the_files(store, tmp_path):
    kept = store.conversations()
    kept.add("one", turn("Who loves the zyzzogeton?", "Nobody xyloryctes."))
    kept.add("two", turn("Who sang?"))
    assert kept.delete("one") == 1
    assert kept.delete("one") == 0
    assert [one.id for one in kept.listed(horizon=ALL)] == ["two"]
    held = b"".join(path.read_bytes() for path in (tmp_path / "p").iterdir() if path.is_file())
    assert b"zyzzogeton" not in held and b"xyloryctes" not in held


@pytest.mark.parametrize("name", ["", "a b", "../x", "x" * 65, "-x", "a\n"])
def test_an_id_is_a_short_plain_word(store, name):
    with pytest.raises(UsageError, match="no id of a conversation"):
        store.conversations().add(name, turn("Who?"))


def test_in_a_file_that_can_only_be_read_none_are_kept(store, tmp_path, monkeypatch):
    store.close()
    monkeypatch.setattr("fabula.core.store.database._is_writable", lambda _: False)
    with ProjectStore.open(tmp_path / "p") as read_only:
        assert not read_only.conversations().is_writable
        assert read_only.conversations().listed(horizon=ALL) == ()
        assert read_only.conversations().turns("one", horizon=ALL) == ()
