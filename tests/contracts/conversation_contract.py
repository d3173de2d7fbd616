"""What every store of conversations keeps. A test gives an empty ``store`` as a fixture."""

import pytest

from fabula.core.store.conversations import Conversation, KeptTurn
from fabula.core.types import Horizon
from fabula.errors import UsageError

ALL = Horizon()


def turn_of(question, answer="In the weir.", chapter=9, *, told=True):
    return KeptTurn(question, answer, chapter, told)


class ConversationsContract:
    @pytest.fixture
    def kept(self, store):
        return store.conversations()

    def test_what_is_kept_comes_back_in_order(self, kept):
        assert kept.is_writable
        turns = [turn_of("Where is Cato?"), turn_of("And then — “so”?", "", told=False)]
        for one in turns:
            kept.add("one", one)
        kept.add("two", turn_of("Who sang?"))
        assert list(kept.turns("one", horizon=ALL)) == turns
        assert kept.listed(horizon=ALL) == (
            Conversation("two", "Who sang?", 1),
            Conversation("one", "Where is Cato?", 2),
        )
        assert kept.turns("three", horizon=ALL) == ()

    def test_at_a_horizon_nothing_is_there_that_was_asked_later(self, kept):
        for chapter in (2, 9, 5, 3):
            kept.add("one", turn_of(f"as of {chapter}", chapter=chapter))
        asked = [one.question for one in kept.turns("one", horizon=Horizon(3))]
        assert asked == ["as of 2", "as of 3"]
        assert kept.listed(horizon=Horizon(3)) == (Conversation("one", "as of 2", 2),)
        assert kept.listed(horizon=Horizon(1)) == ()

    def test_what_is_postponed_is_not_there_before(self, kept):
        for chapter in (2, 1, 4, 3):
            kept.add("one", turn_of(f"as of {chapter}", chapter=chapter))
        kept.postpone({2: 4, 4: 5, 7: 9})
        found = {one.question: one.as_of for one in kept.turns("one", horizon=ALL)}
        assert found == {"as of 2": 4, "as of 1": 1, "as of 4": 5, "as of 3": 3}
        assert [one.question for one in kept.turns("one", horizon=Horizon(3))] == ["as of 1", "as of 3"]

    def test_what_is_deleted_is_gone(self, kept):
        for name in ("one", "one", "two"):
            kept.add(name, turn_of("Who?"))
        assert kept.delete("one") == 2
        assert kept.delete("one") == 0
        assert [one.id for one in kept.listed(horizon=ALL)] == ["two"]

    @pytest.mark.parametrize("name", ["", "a b", "../x", "x" * 65, "-x", "a\n"])
    def test_an_id_is_a_short_plain_word(self, kept, name):
        for use in (
            lambda: kept.add(name, turn_of("Who?")),
            lambda: kept.turns(name, horizon=ALL),
            lambda: kept.delete(name),
        ):
            with pytest.raises(UsageError, match="no id of a conversation"):
                use()
