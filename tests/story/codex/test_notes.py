from pathlib import Path

import pytest
import yaml
from tests.stories.logs import all_evidence

from fabula.core.formats.blocks import AuthorNote, Converted, first_named
from fabula.core.types import Chapter, Span
from fabula.errors import DocumentError
from fabula.project.books import read_books, told_before
from fabula.project.factories import read_codex
from fabula.story.codex.codex import Codex
from fabula.story.codex.notes import codex_of_notes

BOOKS = Path(__file__).parents[2] / "stories" / "books"
TRICKY = (
    "a: b #c",
    "- d",
    "'e\" \\",
    "{{f}}",
    "\u2028g\x85",
    "*h",
    "&i",
    "yes",
    "007",
    "<b>j</b>",
    "%k\ttab",
)


@pytest.mark.parametrize("project", ["The Lantern Tide", "The Lantern Tide/nwProject.nwx", "Salt Road.msk"])
def test_the_notes_of_a_project_are_a_codex(project):
    found = read_codex(BOOKS / project)
    for quote in all_evidence(found.log):
        quote.verify(found.document.text)
    facts = {(one.entity, one.aspect, one.value, one.told) for one in found.log.facts}
    if "Salt" in project:
        assert facts == {("mara-voll", "eyes", "green", 1)}
        assert [rule.text for rule in found.rules] == ["No fire on the road: A flame calls the dead."]
        assert "sold her" not in found.document.text  # an epiphany
    else:
        assert facts == {("ines-marlow", "eyes", "grey", 1)}


def test_nothing_is_known_of_a_subject_before_the_chapter_that_has_its_tag_or_its_name():
    mentions = read_codex(BOOKS / "The Lantern Tide").log.mentions
    told = " ".join(f"{one.surface}: {one.told}" for one in mentions if " " in one.surface)
    known = "Ines Marlow: 1 Tobias Reed: 2 Gull Point: 2 The Chandlery: 2 Brass Key: 3"
    assert told == f"{known} The owner: 4"  # nothing names the owner: the last chapter


def test_in_a_series_notes_count_from_their_own_book(tmp_path):
    first = tmp_path / "first.md"
    first.write_text("# One\n\n## 1\n\nAnna left.\n\n## 2\n\nBo stayed.\n", encoding="utf-8")
    notes = BOOKS / "The Lantern Tide"
    document, _ = read_books([first, notes], tmp_path)
    before = told_before(notes, [first, notes], document)
    mentions = read_codex(notes, told_before=before).log.mentions
    assert ("Brass Key", 5) in {(one.surface, one.told) for one in mentions}
    assert told_before(tmp_path, [first, notes], document) is None
    assert "from_chapter" not in read_codex(notes, told_before=None).document.text


def test_notes_become_entries():
    ann = [("alias", "the Fox, "), ("sex", "F"), ("age", "9")]
    bo = [("sex", "a lot"), ("age", "old"), ("hair_style", "long.")]
    notes = [
        AuthorNote("characters", ["Ann Lee", "Ann"], "She  limps.", ann),
        AuthorNote("characters", ["Bo"], "", bo, since=3),
        AuthorNote("places", ["ann", "Mill"], "A mill."),
        AuthorNote("places", ["ANN"]),
        AuthorNote("rules", ["No fire"], ""),
        AuthorNote("rules", [""], ""),
    ]
    assert yaml.safe_load(codex_of_notes(notes, "a")) == {
        "characters": [
            {"name": "Ann Lee", "aliases": ["Ann", "the Fox"], "traits": {"age": "9"}, "gender": "F"}
            | {"description": "She limps."},
            {"name": "Bo", "from_chapter": 3, "description": "Sex: a lot. Age: old. Hair style: long."},
        ],
        "places": [{"name": "Mill", "description": "A mill."}],
        "rules": [{"text": "No fire"}],
    }


def test_names_and_texts_of_any_kind_stand_in_the_codex():
    notes = [AuthorNote("characters", [one], one, [("motto", one)]) for one in TRICKY]
    found = Codex.parse(codex_of_notes(notes, "a"))
    assert [one.surface for one in found.log.mentions] == [" ".join(one.split()) for one in TRICKY]


@pytest.mark.parametrize(
    ("notes", "said"),
    [
        ([], "a holds no notes on people"),
        ([AuthorNote("things", ["x"], "y" * 10**6)], "1,000,000 are read"),
    ],
)
def test_none_and_too_many_notes_are_refused(notes, said):
    with pytest.raises(DocumentError, match=said):
        codex_of_notes(notes, "a")


def test_a_subject_is_known_since_a_chapter_has_a_name_or_a_part_of_a_name_of_it():
    text = "One rose.\n\nTwo: Elizabeth.\n\nThree: 李明说.\n\nRose."
    ends = [text.index("Two"), text.index("Three"), text.index("Rose"), len(text)]
    spans = zip((1, 2, 3, 4), (0, *ends), ends, strict=False)
    found = Converted(text, None, tuple(Chapter(n, "", Span(a, a), Span(a, b)) for n, a, b in spans))
    people = (
        ("Elizabeth Bennet", ()),
        ("Eliza", [("aliases", "Lizzy, Elizabeth")]),
        ("李明", ()),
        ("Rose", ()),
    )
    notes = [AuthorNote("characters", [name], "", details) for name, details in people]
    assert [first_named(one, found) for one in notes] == [2, 2, 3, 4]
