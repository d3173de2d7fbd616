import pytest

from fabula.core.store.conversations import KeptTurn
from fabula.core.store.sqlite import ProjectStore
from fabula.core.types import Horizon

ALL = Horizon()


@pytest.fixture
def store(tmp_path):
    with ProjectStore.create(tmp_path / "p") as made:
        yield made


def test_what_is_deleted_is_gone_from_the_files(store, tmp_path):
    kept = store.conversations()
    kept.add("one", KeptTurn("Who loves the zyzzogeton?", "Nobody xyloryctes.", 9, True))
    kept.add("two", KeptTurn("Who sang?", "In the weir.", 9, True))
    assert kept.delete("one") == 1
    assert [one.id for one in kept.listed(horizon=ALL)] == ["two"]
    held = b"".join(path.read_bytes() for path in (tmp_path / "p").iterdir() if path.is_file())
    assert b"zyzzogeton" not in held and b"xyloryctes" not in held


@pytest.mark.parametrize("asked", [0, 1])
def test_in_a_file_that_can_only_be_read_no_more_are_kept(store, tmp_path, monkeypatch, asked):
    for _ in range(asked):
        store.conversations().add("one", KeptTurn("Who sang?", "She.", 9, True))
    store.close()
    monkeypatch.setattr("fabula.core.store.dialects._is_writable", lambda _: False)
    with ProjectStore.open(tmp_path / "p") as read_only:
        assert not read_only.conversations().is_writable
        assert len(read_only.conversations().listed(horizon=ALL)) == asked
        assert len(read_only.conversations().turns("one", horizon=ALL)) == asked
