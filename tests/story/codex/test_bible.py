"""A story bible becomes the draft of a codex by its form alone."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from fabula.errors import DocumentError
from fabula.story.codex.bible import bible_draft
from fabula.story.codex.codex import Codex

BIBLE = """# The Salt Ledger: story bible

Working notes, do not show to anyone.

## Characters

### Marta Velling (the bookkeeper)
- Age: 34
- Eyes: grey-green
- **Hair:** auburn
- Occupation: bookkeeper of the salt company
- Aliases: Marta, Mrs. Velling
- Pronouns: she/her
Keeps two ledgers and trusts neither.

### Jonas Pell
Left-handed. Marta's brother-in-law.

**Captain Oriel Dace**: runs the night boats; owes everyone money.

## Places

- Harrow — a harbour town on a salt marsh
- The Long Shed: where the ledgers are kept
    - locked since the fire

FACTIONS

The Salt Company: owns the harbour
The Wreckers

## Rules of the world

1. Nobody may sail on the ebb of a new moon.
2. Salt keeps its owner's name for a year.

Ghosts can be seen only by
those who owe them.

## Timeline

1871: the ferry sinks.
"""


@pytest.fixture(scope="module")
def draft():
    return bible_draft(BIBLE)


@pytest.fixture(scope="module")
def written(draft):
    return yaml.safe_load(draft.text)


def names(written, kind):
    return [one["name"] for one in written[kind]]


def test_sections_hold_entries_of_their_kind(draft, written):
    assert names(written, "characters") == ["Marta Velling", "Jonas Pell", "Captain Oriel Dace"]
    assert names(written, "places") == ["Harrow", "The Long Shed"]
    assert names(written, "groups") == ["The Salt Company", "The Wreckers"]
    assert dict(draft.entries) == {"characters": 3, "places": 2, "groups": 2, "rules": 3}


def test_keys_are_traits_where_they_can_be_and_else_description(written):
    marta = written["characters"][0]
    assert marta["traits"] == {
        "age": "34",
        "eyes": "grey-green",
        "hair": "auburn",
        "profession": "bookkeeper of the salt company",
    }
    assert marta["aliases"] == ["Marta", "Mrs. Velling"] and marta["gender"] == "f"
    assert marta["description"].startswith("the bookkeeper.")
    assert "trusts neither" in marta["description"]
    assert written["places"][1]["description"] == "where the ledgers are kept. locked since the fire."


def test_rules_are_items_or_paragraphs(written):
    assert written["rules"] == [
        "Nobody may sail on the ebb of a new moon",
        "Salt keeps its owner's name for a year",
        "Ghosts can be seen only by those who owe them",
    ]


def test_every_entry_stands_below_its_lines_and_the_rest_is_listed(draft):
    lines = BIBLE.splitlines()
    assert "  # 7: Marta Velling (the bookkeeper)\n" in draft.text
    for one in draft.unplaced:
        assert one.text in lines[one.line - 1]
        assert f"#   {one.line}: {one.text}" in draft.text
    assert [one.line for one in draft.unplaced] == [1, 3, 40, 42]


def test_the_codex_takes_it(draft):
    made = Codex.parse(draft.text)
    assert len(made.rules) == 3 and len(made.descriptions) == 6
    assert {trait.aspect for trait in made.log.traits} >= {"age", "eyes", "hair", "hand"}


def test_a_name_is_one_entrys_alone():
    text = (
        "# Characters\n## Ann Lee\n- Aliases: Tom Roe, Annie\n## Tom Roe\n- Aliases: Annie, Tom\n- Tom Roe\n"
        "# Places\n- Tom Roe: a pub\n# Groups\n- The Watch: keeps awake\n   - Members: Ann Lee, Zed\n"
    )
    written = yaml.safe_load(bible_draft(text).text)
    ann, tom = written["characters"]
    assert ann["aliases"] == ["Annie"] and "Also called: Tom Roe." in ann["description"]
    assert tom["aliases"] == ["Tom"] and "Also called: Annie." in tom["description"]
    assert names(written, "places") == ["Tom Roe (place)"]
    [watch] = written["groups"]
    assert watch["members"] == ["Ann Lee"] and "Members: Zed." in watch["description"]


_LINES = st.sampled_from(
    (
        "## Ann Lee|- Tom Roe|Ann Lee: a clerk|- Aliases: Ann Lee, Tom|- Age: 7|- Members: Tom Roe, X|"
        "# Places|# Characters|# Rules|- |1. |**Tom Roe**: he|  - Eyes: green||text.|(x): y"
    ).split("|")
)


@given(st.lists(_LINES, max_size=25))
def test_whatever_its_lines_the_draft_can_be_read(lines):
    Codex.parse(bible_draft("\n".join(["# Characters", *lines])).text)


@given(st.text(alphabet="#-*: ab\nCharacters|Rul'\"{}[]&!%@`\t\x07é", max_size=300))
def test_whatever_it_holds_the_draft_can_be_read(text):
    Codex.parse(bible_draft(text).text)
    Codex.parse(bible_draft(f"# Characters\n{text}\n# Rules\n{text}").text)


def test_one_that_is_too_long_is_refused():
    with pytest.raises(DocumentError, match="in parts"):
        bible_draft("x\n" * 600_000)


def test_the_command_writes_a_draft_and_nothing_over(run_cli, tmp_path):
    (tmp_path / "bible.md").write_text(BIBLE, encoding="utf-8")
    call = ("codex", "import", tmp_path / "bible.md", "-o", tmp_path / "codex.yaml")
    done = run_cli(*call)
    assert done.code == 0 and "3 characters" in done.out and "4 lines not placed" in done.out
    assert run_cli("codex", "check", tmp_path / "codex.yaml").code == 0
    again = run_cli(*call)
    assert again.code == 2 and "there already" in again.err


def test_forms_that_are_mixed():
    """Entries below a heading's own, things written small, a trait below a line's entry."""
    text = (
        "# Characters\n\n### Tom Pell\nBoat builder.\n- Eyes: blue\n\nAgnes Pell — the mother.\n"
        "Dev Rao: a doctor.\n\n"
        "- Mina Rao — his daughter\n\n# Things\n- The compass — brass\n- the letter — folded small\n\n"
        "# Cast\nIda Low: baker.\nHair: black\n"
    )
    written = yaml.safe_load(bible_draft(text).text)
    assert names(written, "characters") == ["Tom Pell", "Agnes Pell", "Dev Rao", "Mina Rao", "Ida Low"]
    tom, *_, ida = written["characters"]
    assert tom["description"] == "Boat builder." and tom["traits"] == {"eyes": "blue"}
    assert ida["traits"] == {"hair": "black"}
    assert names(written, "things") == ["The compass", "the letter"]


def test_a_key_below_a_heading_is_no_character():
    text = (
        "# Characters\n\n## Tom Pell\n\nEarly Life: a farm.\n\nMotivation — money\n\nOld Wounds: his knee\n"
    )
    [tom] = yaml.safe_load(bible_draft(text).text)["characters"]
    assert "Early Life" in tom["description"] and "Motivation" in tom["description"]
