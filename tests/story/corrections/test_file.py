import re

import pytest

from fabula.errors import UsageError
from fabula.story.corrections import (
    Correction,
    added,
    as_toml,
    parse_corrections,
    read_corrections,
    with_chapters,
    without,
)

FILE = """# my corrections

# the two brothers
[[correct]]
kind = "split"   # they share a surname
who = "Mr. Emerson"
names = ["George Emerson", "George"]
from_chapter = 3

[[correct]]
kind = "not a character"
who = ["Heaven", "Good  Heaven"]
"""


def test_it_is_read():
    one, two = parse_corrections(FILE).entries
    assert one == Correction("split", ("Mr. Emerson",), ("George Emerson", "George"), from_chapter=3)
    assert two == Correction("not_a_character", ("Heaven", "Good Heaven"))
    assert parse_corrections(as_toml(parse_corrections(FILE))) == parse_corrections(FILE)


def test_no_file_is_no_correction(tmp_path):
    assert not read_corrections(tmp_path / "corrections.toml")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[correct]]\nkind = \n", r"no TOML .*line 2"),
        ("[[corect]]\n", "holds corect: it takes"),
        ("correct = 3\n", "takes \\[\\[correct\\]\\] tables"),
        (FILE + "\n[[correct]]\nwho = 'A'\n", "line 14: it has no kind"),
        (FILE + "\n[[correct]]\nkind = 'merge'\nwhom = 'A'\n", "line 14: there is no key 'whom'"),
        (FILE + "\n[[correct]]\nkind = 'merge'\nwho = 3\n", "line 14: who is a name or a list"),
        (
            FILE + "\n[[correct]]\nkind = 'merge'\nwho = 'A'\ninto = 'A'\n",
            "line 14: 'A' is merged into itself",
        ),
        (FILE.replace("= 3", "= '3'"), "line 4: from_chapter is a number"),
        ("correct = [{kind = 'merge', who = 'A'}]\n", "correction 1: merge needs into"),
        (FILE + "\n[[correct]]\nkind='merge'\nwho='Heaven'\ninto='B'\n", "line 14: .* in line 10: take one"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text, said):
    with pytest.raises(UsageError, match=said):
        parse_corrections(text)


def test_one_is_added_and_taken_out_and_the_rest_stays_as_it_is_written():
    one = Correction("rename", ('the "Fox"\\',), to="Füchsin", from_chapter=2)
    longer = added(FILE, one)
    assert longer.startswith(FILE)
    assert parse_corrections(longer).entries[-1] == one
    assert without(longer, 2) == FILE
    assert without(FILE, 0).startswith('# my corrections\n\n[[correct]]\nkind = "not a character"')
    assert parse_corrections(added("", one)).entries == (one,)


def test_a_file_that_cannot_be_changed_by_lines_is_left_to_its_author():
    with pytest.raises(UsageError, match="edit it by hand"):
        without("correct = [{kind = 'merge', who = 'A', into = 'B'}]\n", 0)


def test_chapters_go_on_and_comments_stay():
    commented = FILE.replace("from_chapter = 3", "from_chapter=3 # of 3\n# from_chapter = 3")
    for text in (FILE, FILE.replace("\n", "\r\n"), commented):
        moved = parse_corrections(text).postponed(lambda chapter: chapter + 2)
        there = re.sub(r"(?m)^(from_chapter ?= ?)3", r"\g<1>5", text)
        assert with_chapters(text, moved) == there
        assert parse_corrections(there) == moved != parse_corrections(text)
    odd = 'correct = [{kind = "rename", who = "A", to = "from_chapter = 3", from_chapter = 3}]'
    moved = parse_corrections(odd).postponed(lambda _: 5)
    assert parse_corrections(with_chapters(odd, moved)) == moved
    assert moved.entries == (Correction("rename", ("A",), to="from_chapter = 3", from_chapter=5),)


def test_corrections_that_would_clash_in_another_order_are_named():
    rename = '[[correct]]\nkind = "rename"\nwho = "A"\nto = "{}"\nfrom_chapter = {}\n'
    read = parse_corrections(rename.format("B", 3) + rename.format("C", 4))
    with pytest.raises(UsageError, match=r"new order.*'A' is shown under another name in correction 1"):
        read.postponed(lambda _: 4)
