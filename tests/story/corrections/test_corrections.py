import re

import pytest
from tests.tables import file_text, rows, values

from fabula.errors import UsageError
from fabula.story import corrections as corrected


def corrections(told):
    """Those of a line, with semicolons between."""
    found = []
    for one in told.split("; "):
        keys = dict(each.split("=") for each in one.split(" "))
        lists = {key: (keys[key],) if key in keys else () for key in ("who", "names", "into")}
        since = int(keys["from"]) if "from" in keys else None
        found.append(corrected.Correction(keys["kind"], **lists, to=keys.get("to", ""), from_chapter=since))
    return found


LONG = ("kind=rename to=B who=" + "A" * 300, "is no name")


@pytest.mark.parametrize(("told", "said"), [*rows(__file__, "refused.tsv"), LONG])
def test_what_is_wrong_by_itself_or_contradicts_another(told, said):
    with pytest.raises(UsageError, match=said):
        corrected.Corrections.of(corrections(told))


def test_what_does_not_contradict_and_its_key():
    entries = corrections(
        "kind=rename who=Anne to=Shirley from=1; kind=rename who=Anne to=Blythe from=20; "
        "kind=split who=Vane names=Vane into=Giles from=6; kind=merge who=Giles into=Gil; "
        "kind=retype who=Fox to=location; kind=rename who=Fox to=Inn from=1"
    )
    assert len(corrected.Corrections.of(entries).entries) == len({one.id for one in entries}) == 6
    told = ("kind=merge who=A into=B", "kind=merge who=B into=A", "kind=not_a_character who=A")
    keys = {corrected.Corrections.of(corrections(one)).key for one in told} | {
        corrected.Corrections.of([]).key
    }
    assert len(keys) == 4 and "" in keys


FILE = file_text(__file__, "two_brothers.toml")


def test_it_is_read():
    one, two = corrected.parse_corrections(FILE).entries
    assert one == corrected.Correction(
        "split", ("Mr. Emerson",), ("George Emerson", "George"), from_chapter=3
    )
    assert two == corrected.Correction("not_a_character", ("Heaven", "Good Heaven"))
    assert corrected.parse_corrections(
        corrected.as_toml(corrected.parse_corrections(FILE))
    ) == corrected.parse_corrections(FILE)


def test_no_file_is_no_correction(tmp_path):
    assert not corrected.read_corrections(tmp_path / "corrections.toml")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        *values(__file__, "wrong_files.tsv"),
        (FILE.replace("= 3", "= '3'"), "line 4: from_chapter is a number"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(written, said):
    with pytest.raises(UsageError, match=said):
        corrected.parse_corrections(written.replace("FILE", FILE))


def test_one_is_added_and_taken_out_where_lines_can_be_changed():
    one = corrected.Correction("rename", ('the "Fox"\\',), to="Füchsin", from_chapter=2)
    longer = corrected.added(FILE, one)
    assert longer.startswith(FILE)
    assert corrected.parse_corrections(longer).entries[-1] == one
    assert corrected.without(longer, 2) == FILE
    assert corrected.without(FILE, 0).startswith('# my corrections\n\n[[correct]]\nkind = "not a character"')
    assert corrected.parse_corrections(corrected.added("", one)).entries == (one,)
    with pytest.raises(UsageError, match="edit it by hand"):
        corrected.without("correct = [{kind = 'merge', who = 'A', into = 'B'}]\n", 0)


def test_chapters_go_on_and_comments_stay():
    commented = FILE.replace("from_chapter = 3", "from_chapter=3 # of 3\n# from_chapter = 3")
    for text in (FILE, FILE.replace("\n", "\r\n"), commented):
        moved = corrected.parse_corrections(text).postponed(lambda chapter: chapter + 2)
        there = re.sub(r"(?m)^(from_chapter ?= ?)3", r"\g<1>5", text)
        assert corrected.with_chapters(text, moved) == there
        assert corrected.parse_corrections(there) == moved != corrected.parse_corrections(text)
    odd = 'correct = [{kind = "rename", who = "A", to = "from_chapter = 3", from_chapter = 3}]'
    moved = corrected.parse_corrections(odd).postponed(lambda _: 5)
    assert corrected.parse_corrections(corrected.with_chapters(odd, moved)) == moved
    assert moved.entries == (corrected.Correction("rename", ("A",), to="from_chapter = 3", from_chapter=5),)


def test_corrections_that_would_clash_in_another_order_are_named():
    rename = '[[correct]]\nkind = "rename"\nwho = "A"\nto = "{}"\nfrom_chapter = {}\n'
    read = corrected.parse_corrections(rename.format("B", 3) + rename.format("C", 4))
    with pytest.raises(UsageError, match=r"new order.*'A' is shown under another name in correction 1"):
        read.postponed(lambda _: 4)
