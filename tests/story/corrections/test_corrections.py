import pytest

from fabula.errors import UsageError
from fabula.story.corrections.corrections import Correction, Corrections


def merge(who, into):
    return Correction("merge", (who,), into=(into,))


def split(who, *names, into="", since=None):
    return Correction("split", (who,), names, (into,) if into else (), from_chapter=since)


def rename(who, to, since=None):
    return Correction("rename", (who,), to=to, from_chapter=since)


def retype(who, to):
    return Correction("retype", (who,), to=to)


def drop(who):
    return Correction("not_a_character", (who,))


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (Correction("marry", ("A",)), "no kind of correction: use one of merge, split"),
        (Correction("merge", ("A",)), "merge needs into: it takes who, into"),
        (Correction("merge", (), into=("B",)), "merge needs who"),
        (Correction("merge", ("A",), into=("B",), to="C"), "merge has no to"),
        (Correction("merge", ("A",), into=("B",), from_chapter=2), "merge has no from_chapter"),
        (rename("A", "B", since=0), "chapters count from 1"),
        (rename("A", "B\x1b[2J"), "is no name: write one line"),
        (rename("A" * 300, "B"), "is no name"),
        (retype("A", "ghost"), "'ghost' is no kind: use one of character, group"),
        (merge("Ann", "ann"), "'Ann' is merged into itself"),
        (split("Ann", "ann"), "name others, or from which chapter on"),
    ],
)
def test_what_is_wrong_by_itself(one, said):
    with pytest.raises(UsageError, match=f"correction 1: .*{said}"):
        Corrections.of([one])


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ([merge("A", "B"), merge("A", "B")], "correction 2: the same stands in correction 1"),
        ([merge("A", "B"), merge("B", "C"), split("A", "c")], "correction 3: 'c' cannot be split from 'A'"),
        ([split("A", "B"), merge("B", "A")], "correction 1: .* correction 2 makes them one"),
        ([split("A", "X", into="B"), split("C", "X", into="D")], "'X' is given to somebody else"),
        ([rename("A", "X"), rename("A", "Y")], "'A' is shown under another name in correction 1"),
        ([merge("A", "B"), rename("A", "X"), rename("B", "Y")], "'B' is shown under another name"),
        ([retype("A", "location"), retype("a", "object")], "is of another kind in correction 1"),
        ([drop("A"), rename("A", "X")], "'A' is told to be nobody, and is somebody in correction 1"),
        ([merge("B", "A"), drop("a")], "'A' is told to be nobody, and is somebody"),
    ],
)
def test_what_contradicts_another(entries, said):
    with pytest.raises(UsageError, match=said):
        Corrections.of(entries)


def test_what_does_not_contradict():
    entries = [
        rename("Anne", "Anne Shirley", since=1),
        rename("Anne", "Anne Blythe", since=20),
        split("Mr. Vane", "Mr. Vane", into="Giles", since=6),
        merge("Giles", "young Giles"),
        retype("the Fox", "location"),
        rename("the Fox", "The Fox Inn", since=1),
    ]
    assert len(Corrections.of(entries).entries) == len({one.id for one in entries}) == 6


def test_the_key_changes_with_what_is_said():
    keys = {Corrections.of(each).key for each in ([], [merge("A", "B")], [merge("B", "A")], [drop("A")])}
    assert len(keys) == 4 and "" in keys
