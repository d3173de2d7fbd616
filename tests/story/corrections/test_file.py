import re

import pytest
from tests.tables import file_text, values

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

FILE = file_text(__file__, "two_brothers.toml")


def test_it_is_read():
    one, two = parse_corrections(FILE).entries
    assert one == Correction("split", ("Mr. Emerson",), ("George Emerson", "George"), from_chapter=3)
    assert two == Correction("not_a_character", ("Heaven", "Good Heaven"))
    assert parse_corrections(as_toml(parse_corrections(FILE))) == parse_corrections(FILE)


def test_no_file_is_no_correction(tmp_path):
    assert not read_corrections(tmp_path / "corrections.toml")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        *values(__file__, "wrong_files.tsv"),
        (FILE.replace("= 3", "= '3'"), "line 4: from_chapter is a number"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(written, said):
    with pytest.raises(UsageError, match=said):
        parse_corrections(written.replace("FILE", FILE))


def test_one_is_added_and_taken_out_where_lines_can_be_changed():
    one = Correction("rename", ('the "Fox"\\',), to="Füchsin", from_chapter=2)
    longer = added(FILE, one)
    assert longer.startswith(FILE)
    assert parse_corrections(longer).entries[-1] == one
    assert without(longer, 2) == FILE
    assert without(FILE, 0).startswith('# my corrections\n\n[[correct]]\nkind = "not a character"')
    assert parse_corrections(added("", one)).entries == (one,)
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
