"""Chapter detection on small layouts of our own; ``~`` in a layout stands for a page of prose."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.core.chapters.markdown import title_of
from fabula.core.chapters.reader import find_chapters

PAGE = """The ferry had gone when Anna came down to the landing with her box on
her shoulder, and nobody on the quay could tell her when another would be
sent, if one was sent at all before the morning.

She sat down on the box and waited. Toward evening the wind turned, the
lamps were lit along the water, and the old man who kept the nets came out
of his hut to look at the sky and at her."""


def layout(text: str, *, page: str = PAGE) -> str:
    return text.strip("\n").replace("~", page)


def titles(text: str) -> list[str]:
    return [chapter.title for chapter in find_chapters(text, title="Book")]


def check_spans(text: str) -> None:
    """What holds of every result: numbers count up, headings come before bodies, nothing overlaps."""
    chapters = find_chapters(text, title="Book")
    at = 0
    for number, chapter in enumerate(chapters, 1):
        assert chapter.number == number
        assert at <= chapter.heading.start <= chapter.heading.end <= chapter.body.start <= chapter.body.end
        at = chapter.body.end
        body = chapter.body.of(text)
        assert body == body.strip()
    assert at <= len(text)


LAYOUTS = {
    "plain": ("CHAPTER I.\n\n~\n\n\nCHAPTER II.\n\n~", ["CHAPTER I", "CHAPTER II"]),
    "title on the line": (
        "Chapter 1: The Ferry\n\n~\n\nChapter 2: The Storm\n\n~",
        ["Chapter 1: The Ferry", "Chapter 2: The Storm"],
    ),
    "title under the label, no blank line": (
        "CHAPTER I\nTHE FERRY\n\n~\n\nCHAPTER II\nTHE STORM\n\n~",
        ["CHAPTER I: THE FERRY", "CHAPTER II: THE STORM"],
    ),
    "title in capitals after blank lines": (
        "CHAPTER I\n\n\n  THE FERRY\n\n~\n\nCHAPTER II\n\n\n  THE STORM\n\n~",
        ["CHAPTER I: THE FERRY", "CHAPTER II: THE STORM"],
    ),
    "a summary over two lines": (
        "CHAPTER XI. In which Anna waits for the ferry, and hears what the\nold man has to say of it\n\n~\n\n"
        "CHAPTER XII. In which she crosses\n\n~",
        [
            "CHAPTER XI: In which Anna waits for the ferry, and hears what the old man has to say of it",
            "CHAPTER XII: In which she crosses",
        ],
    ),
    "words and ordinals": (
        "Chapter the First\n\n~\n\nChapter the Second\n\n~\n\nCHAPTER TWENTY-ONE\n\n~",
        ["Chapter the First", "Chapter the Second", "CHAPTER TWENTY-ONE"],
    ),
    "restarts in volumes": (
        "THE FERRY\n\nVOLUME I\n\nCHAPTER I\n\n~\n\nCHAPTER II\n\n~\n\n"
        "VOLUME II\n\nCHAPTER I\n\n~\n\nCHAPTER II\n\n~",
        ["VOLUME I, CHAPTER I", "VOLUME I, CHAPTER II", "VOLUME II, CHAPTER I", "VOLUME II, CHAPTER II"],
    ),
    "restarts with no reason given": (
        "\n\n".join(f"CHAPTER {n}.\n\n~" for n in ["I", "II", "III", "IV", "I", "II", "III", "IV"]),
        [f"CHAPTER {n}" for n in ["I", "II", "III", "IV", "I", "II", "III", "IV"]],
    ),
    "three levels": (
        "PART ONE\n\nBOOK I. Water\n\nChapter 1\n\n~\n\nChapter 2\n\n~\n\nBOOK II. Land\n\nChapter 1\n\n~\n\n"
        "PART TWO\n\nBOOK III. Fire\n\nChapter 1\n\n~\n\nBOOK IV. Air\n\nChapter 1\n\n~",
        [
            "PART ONE, BOOK I, Chapter 1",
            "PART ONE, BOOK I, Chapter 2",
            "PART ONE, BOOK II, Chapter 1",
            "PART TWO, BOOK III, Chapter 1",
            "PART TWO, BOOK IV, Chapter 1",
        ],
    ),
    "ordinal before kind": (
        "FIRST PART\n\nI\n\n~\n\nII\n\n~\n\nSECOND PART\n\nI\n\n~\n\nII\n\n~",
        ["FIRST PART, I", "FIRST PART, II", "SECOND PART, I", "SECOND PART, II"],
    ),
    "book first with a title": (
        "BOOK FIRST\n\nTHE RIVER\n\nCHAPTER ONE\n\n~\n\nCHAPTER TWO\n\n~\n\n"
        "BOOK SECOND\n\nTHE SEA\n\nCHAPTER ONE\n\n~",
        ["BOOK FIRST, CHAPTER ONE", "BOOK FIRST, CHAPTER TWO", "BOOK SECOND, CHAPTER ONE"],
    ),
    "parts alone": ("PART I\n\n~\n\nPART II\n\n~", ["PART I", "PART II"]),
    "staves": (
        "STAVE ONE.\n\nTHE FERRYMAN.\n\n~\n\nSTAVE TWO.\n\nTHE TIDE.\n\n~",
        ["STAVE ONE: THE FERRYMAN", "STAVE TWO: THE TIDE"],
    ),
    "letters, then chapters": (
        "Letter 1\n\n_To Mrs. Marsh, Hull._\n\n~\n\nLetter 2\n\n_To Mrs. Marsh, Hull._\n\n~\n\n"
        "Chapter 1\n\n~\n\nChapter 2\n\n~",
        ["Letter 1: To Mrs. Marsh, Hull", "Letter 2: To Mrs. Marsh, Hull", "Chapter 1", "Chapter 2"],
    ),
    "a letter within a chapter": (
        "CHAPTER I\n\n~\n\nLETTER I\n\n~\n\nCHAPTER II\n\n~\n\nCHAPTER III\n\n~",
        ["CHAPTER I", "CHAPTER II", "CHAPTER III"],
    ),
    "roman numerals alone": ("I\n\n~\n\n\nII\n\n~\n\n\nIII\n\n~", ["I", "II", "III"]),
    "roman numerals with titles": (
        "I. THE FERRY\n\n~\n\nII. THE STORM\n\n~\n\nIII. A LIGHT\n\n~",
        ["I: THE FERRY", "II: THE STORM", "III: A LIGHT"],
    ),
    "titles with numbered sections inside": (
        "I. THE FERRY\n\nI.\n\n~\n\nII.\n\n~\n\nIII.\n\n~\n\n"
        "II. THE STORM\n\n~\n\nIII. A LIGHT\n\n~\n\nIV. HOME\n\n~",
        ["I: THE FERRY", "II: THE STORM", "III: A LIGHT", "IV: HOME"],
    ),
    "numerals between dashes": ("- I -\n\n~\n\n- II -\n\n~", ["I", "II"]),
    "arabic numerals with a title under them": (
        "1\n\nThe Old Boat\n\n~\n\n2\n\nThe New Boat\n\n~",
        ["1: The Old Boat", "2: The New Boat"],
    ),
    "words alone": ("ONE\n\n~\n\nTWO\n\n~\n\nTHREE\n\n~", ["ONE", "TWO", "THREE"]),
    "sections inside chapters": (
        "CHAPTER I\n\nI\n\n~\n\nII\n\n~\n\nIII\n\n~\n\nCHAPTER II\n\nI\n\n~\n\nII\n\n~",
        ["CHAPTER I", "CHAPTER II"],
    ),
    "prologue and epilogue": (
        "PROLOGUE\n\n~\n\nCHAPTER 1\n\n~\n\nCHAPTER 2\n\n~\n\nEPILOGUE\n\n~",
        ["PROLOGUE", "CHAPTER 1", "CHAPTER 2", "EPILOGUE"],
    ),
    "chapters within an epilogue": (
        "BOOK ONE: 1805\n\nCHAPTER I\n\n~\n\nCHAPTER II\n\n~\n\n"
        "FIRST EPILOGUE\n\nCHAPTER I\n\n~\n\nCHAPTER II\n\n~",
        [
            "BOOK ONE, CHAPTER I",
            "BOOK ONE, CHAPTER II",
            "FIRST EPILOGUE, CHAPTER I",
            "FIRST EPILOGUE, CHAPTER II",
        ],
    ),
    "a last chapter called conclusion": (
        "CHAPTER I\n\nINTRODUCTION\n\n~\n\nCHAPTER II\n\nCONCLUSION\n\n~",
        ["CHAPTER I: INTRODUCTION", "CHAPTER II: CONCLUSION"],
    ),
    "chapter the last": (
        "CHAPTER I.\n\n~\n\nCHAPTER II.\n\n~\n\nCHAPTER THE LAST\n\n~",
        ["CHAPTER I", "CHAPTER II", "CHAPTER THE LAST"],
    ),
    "underscores": (
        "_CHAPTER I_\n\n_The Ferry_\n\n~\n\n_CHAPTER II_\n\n_The Storm_\n\n~",
        ["CHAPTER I: The Ferry", "CHAPTER II: The Storm"],
    ),
    "illustrations about the heading": (
        "[Illustration]\n\nCHAPTER I\n\n[Illustration: THE QUAY\nat evening]\n\nTHE FERRY\n\n~\n\n"
        "[Illustration: A storm.]\nCHAPTER II\n\nTHE STORM\n\n~",
        ["CHAPTER I: THE FERRY", "CHAPTER II: THE STORM"],
    ),
    "a heading inside an illustration": (
        "[Illustration:\n\n*THE FERRY*\n\n\nChapter I.]\n\n\n~\n\nCHAPTER II.\n\n~",
        ["Chapter I", "CHAPTER II"],
    ),
    "text on the heading's line": (
        "CHAPTER I. It was late when Anna came down to the landing with her box on\n~\n\n"
        "CHAPTER II. In the night the wind turned and nobody on the quay slept for\n~",
        ["CHAPTER I", "CHAPTER II"],
    ),
    "text right under the label": (
        "CHAPTER I\nIt was late.\n\n~\n\nCHAPTER II\nNobody slept.\n\n~",
        ["CHAPTER I", "CHAPTER II"],
    ),
    "speech right after the label": (
        'CHAPTER I. "Come in," she said.\n\n~\n\nCHAPTER II. "Go away," he said.\n\n~',
        ["CHAPTER I", "CHAPTER II"],
    ),
    "book and chapter on one line": (
        "BOOK I, CHAPTER I\n\n~\n\nBOOK I, CHAPTER II\n\n~\n\nBOOK II, CHAPTER I\n\n~",
        ["BOOK I, CHAPTER I", "BOOK I, CHAPTER II", "BOOK II, CHAPTER I"],
    ),
    "a misprinted number": (
        "CHAPTER I\n\n~\n\nCHAPTER II\n\n~\n\nCHAPTER IIL\n\n~\n\nCHAPTER IV\n\n~\n\nCHAPTER VI\n\n~",
        ["CHAPTER I", "CHAPTER II", "CHAPTER IIL", "CHAPTER IV", "CHAPTER VI"],
    ),
    "phases": (
        "Phase the First: The Maiden\n\nI\n\n~\n\nII\n\n~\n\nPhase the Second: Maiden No More\n\nIII\n\n~",
        ["Phase the First, I", "Phase the First, II", "Phase the Second, III"],
    ),
    "a preface inside a volume": (
        "VOLUME I\n\nANNA\n\nPREFACE\n\n~\n\nBOOK FIRST—OUT\n\n"
        "CHAPTER I—THE FERRY\n\n~\n\nCHAPTER II—THE STORM\n\n~",
        [
            "PREFACE",
            "VOLUME I, BOOK FIRST, CHAPTER I: THE FERRY",
            "VOLUME I, BOOK FIRST, CHAPTER II: THE STORM",
        ],
    ),
    "an epilogue in sections": (
        "CHAPTER I\n\n~\n\nCHAPTER II\n\n~\n\nEPILOGUE\n\nI\n\n~\n\nII\n\n~",
        ["CHAPTER I", "CHAPTER II", "EPILOGUE"],
    ),
    "a part with a text of its own": (
        "PART ONE\n\n~\n\n~\n\nChapter 1\n\n~\n\nChapter 2\n\n~\n\nPART TWO\n\nChapter 3\n\n~",
        ["PART ONE", "PART ONE, Chapter 1", "PART ONE, Chapter 2", "PART TWO, Chapter 3"],
    ),
    "markdown": (
        "# The Crossing\n\n## Chapter 1: The Ferry\n\n~\n\n### Later\n\n~\n\n## Chapter 2: The Storm\n\n~",
        ["Chapter 1: The Ferry", "Chapter 2: The Storm"],
    ),
    "markdown without numbers": ("# The Ferry\n\n~\n\n# The Storm\n\n~", ["The Ferry", "The Storm"]),
    "markdown parts": (
        "# Book\n\n## Part One\n\n### The Ferry\n\n~\n\n### The Storm\n\n~\n\n## Part Two\n\n### Home\n\n~",
        ["Part One, The Ferry", "Part One, The Storm", "Part Two, Home"],
    ),
    "markdown chapters of named scenes": (
        "# Chapter One\n\n## Mill\n\n~\n\n## The Road\n\n~\n\n# Chapter Two\n\n## Sea\n\n~\n\n## Home\n\n~",
        ["Chapter One", "Chapter Two"],
    ),
    "markdown chapters of named scenes under a title": (
        "# Book\n\n## 1. Chapter\n\n~\n\n## Chapter 2\n\n### Mill\n\n~\n\n### Road\n\n~\n\n## Chapter 3\n\n~",
        ["1. Chapter", "Chapter 2", "Chapter 3"],
    ),
    "one markdown chapter of named scenes": (
        "# Chapter One\n\n## Mill\n\n~\n\n## Road\n\n~",
        ["Chapter One"],
    ),
    "markdown chapters with their titles below": (
        "# Chapter One\n\n## The Mill\n\n~\n\n# Chapter Two\n\n## The Sea\n\n~",
        ["Chapter One, The Mill", "Chapter Two, The Sea"],
    ),
    "numbers in words above a hundred": (
        "Chapter Ninety-Nine\n\n~\n\nChapter One Hundred\n\n~\n\nChapter One Hundred and One\n\n~\n\n"
        "Chapter One Hundred Two\n\n~\n\nChapter the Hundred and Third: Home\n\n~",
        [
            "Chapter Ninety-Nine",
            "Chapter One Hundred",
            "Chapter One Hundred and One",
            "Chapter One Hundred Two",
            "Chapter the Hundred and Third: Home",
        ],
    ),
    "shortened labels": (
        "Ch. 1\n\n~\n\nCh. 2: The Sea\n\n~\n\nCH 3\n\n~",
        ["Ch. 1", "Ch. 2: The Sea", "CH 3"],
    ),
    "a number sign": ("Chapter #1\n\n~\n\nChapter # 2\n\n~", ["Chapter #1", "Chapter # 2"]),
    "no space before the number": ("Chapter1\n\n~\n\nChapter2\n\n~", ["Chapter1", "Chapter2"]),
    "spaced letters": (
        "C H A P T E R  I\n\n~\n\nC H A P T E R   T W O\n\n~\n\nC H A P T E R 3\n\n~",
        ["CHAPTER I", "CHAPTER TWO", "CHAPTER 3"],
    ),
    "numbers with letters": (
        "Chapter 0\n\n~\n\nChapter 1\n\n~\n\nChapter 2a\n\n~\n\nChapter 2b\n\n~\n\nChapter 3\n\n~",
        ["Chapter 0", "Chapter 1", "Chapter 2a", "Chapter 2b", "Chapter 3"],
    ),
    "chapters between": (
        "Chapter 5\n\n~\n\nChapter 5.5\n\n~\n\nSide Story\n\n~\n\nChapter 6\n\n~\n\nSide Story 2: The Cat\n\n"
        "~\n\nChapter 7\n\n~\n\nBonus Chapter\n\n~",
        [
            "Chapter 5",
            "Chapter 5.5",
            "Side Story",
            "Chapter 6",
            "Side Story 2: The Cat",
            "Chapter 7",
            "Bonus Chapter",
        ],
    ),
    "days": ("Day One\n\n~\n\nDay Two: The Sea\n\n~\n\nDAY 5\n\n~", ["Day One", "Day Two: The Sea", "DAY 5"]),
    "numbered chapters named after days": (
        "1. Monday\n\n~\n\n2. The Sea\n\n~\n\n3. Friday\n\n~",
        ["1: Monday", "2: The Sea", "3: Friday"],
    ),
    "dates within chapters": (
        "CHAPTER I\n\n3 May 1893\n\n~\n\n4 May 1893\n\n~\n\nCHAPTER II\n\n5 May 1893\n\n~",
        ["CHAPTER I: 3 May 1893", "CHAPTER II: 5 May 1893"],
    ),
    "dates late in a story": ("~\n\n~\n\n~\n\n~\n\n3 May 1893\n\n~\n\n4 May 1893\n\n~", ["Book"]),
    "signatures": (
        "My dear Bo,\n\n~\n\nYours,\n\nAnna\n\n~\n\nYours,\n\nAnna\n\n~\n\nYours,\n\nBo\n\n~",
        ["Book"],
    ),
    "running heads": (
        "FERRY\n\nAnna went down and\n~ and\n\nANNA MARSH\n\nwent on. ~ then\n\nFERRY\n\nshe slept. ~",
        ["Book"],
    ),
    "a sign that comes again": ("~\n\nNO EXIT\n\n~\n\nKEEP OUT\n\n~\n\nNO EXIT\n\n~", ["Book"]),
    "no headings": ("~\n\n~", ["Book"]),
    "one line": ("Anna went to sea.", ["Book"]),
}


# A heading a line, each over a page of prose.
SERIES = [
    "1893-05-03\n1893-05-04\n1893-06-12",
    "May 3, 1893\nMay 4, 1893\nJune 12, 1893",
    "3 May 1893\n4 May 1893\n7 May 1893\n2 July 1893",
    "3. May 1893\n4. May 1893\n2. July 1893",
    "3 May. Bistritz.\n4 May.\n5 May. The Castle.",
    "London, 3 May 1893\nParis, 4 May 1893",
    "Dear Diary, Monday\nDear Diary, Tuesday\nDear Diary, Monday",
    "Dear Diary,\nDear Diary,\nDear Diary,",
    "Monday, May 3rd\nTuesday, May 4th\nTuesday, May 4th, evening",
    "THEN\nNOW\nTHEN\nNOW",
    "Then\nNow",
    "1984\n1999\n1984",
    "London, 1893\nParis, 1901",
    "June\nJuly\nSeptember",
    "Monday\nTuesday",
    "9:14 A.M.\n10:02 A.M.",
    "ERIK\nINGRID\nERIK\nINGRID",
    "Erik\nIngrid\nAunt May\nErik",
    "PROLOGUE\nANNA\nBO\nANNA\nEPILOGUE",
]


@pytest.mark.parametrize("headings", SERIES)
def test_dates_and_names_in_turn_are_headings(headings: str) -> None:
    lines = headings.split("\n")
    text = layout("The Ferry\n\nby Bo Marsh\n\n\n" + "\n\n".join(f"{line}\n\n~" for line in lines))
    assert [" ".join(title.split()) for title in titles(text)] == [line.rstrip(".") for line in lines]
    check_spans(text)


@pytest.mark.parametrize("name", LAYOUTS)
def test_layout(name: str) -> None:
    source, expected = LAYOUTS[name]
    text = layout(source)
    assert titles(text) == expected
    check_spans(text)


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
@pytest.mark.parametrize("name", LAYOUTS)
def test_newlines_of_other_systems_change_no_title(name: str, newline: str) -> None:
    source, expected = LAYOUTS[name]
    text = layout(source).replace("\n", newline)
    assert titles(text) == expected
    check_spans(text)


# In some the length of the text is what tells; bare numerals over a few words are a list.
TOLD_BY_LENGTH = {"a part with a text of its own", "text on the heading's line", "dates late in a story"}
BARE = {"I", "1", "ONE", "FIRST PART, I", "Phase the First, I"}
PLAIN = [n for n in LAYOUTS if n not in TOLD_BY_LENGTH and LAYOUTS[n][1][0].split(":")[0] not in BARE]


@pytest.mark.parametrize("name", PLAIN)
def test_short_texts_have_the_same_chapters(name: str) -> None:
    text = layout(LAYOUTS[name][0], page="Anna went to sea.")
    check_spans(text)
    if name != "restarts with no reason given":
        assert titles(text) == LAYOUTS[name][1]


CONTENTS = {
    "page numbers": (
        "THE FERRY\n\nCONTENTS\n\nCHAPTER                      PAGE\n   I. The Ferry ........... 1\n"
        "  II. The Storm .......... 17\n III. Home .............. 203\n\n"
    ),
    "the same lines": "Contents\n\nCHAPTER I. The Ferry\nCHAPTER II. The Storm\nCHAPTER III. Home\n\n\n",
    "one entry a paragraph": (
        "CONTENTS.\n\nCHAPTER I. The Ferry.--Anna waits.--A box.\n\nCHAPTER II. The Storm.--The nets.\n\n"
        "CHAPTER III. Home.--The end of it.\n\n\nILLUSTRATIONS.\n\nThe Quay\n\nThe Nets\n\n\n"
    ),
    "numbers on their own": "Contents\n\n1. The Ferry\n2. The Storm\n3. Home\n\n",
    "no heading over it": "THE FERRY\n\nCHAPTER I\n\nCHAPTER II\n\nCHAPTER III\n\n",
    "with a preface": "CONTENTS\n\n   Preface\n  I. The Ferry\n II. The Storm\nIII. Home\n\nPREFACE\n\n~\n\n",
}


@pytest.mark.parametrize("name", CONTENTS)
def test_a_contents_page_is_no_chapter(name: str) -> None:
    body = "CHAPTER I\n\nThe Ferry\n\n~\n\nCHAPTER II\n\nThe Storm\n\n~\n\nCHAPTER III\n\nHome\n\n~"
    text = layout(CONTENTS[name] + body)
    expected = ["CHAPTER I: The Ferry", "CHAPTER II: The Storm", "CHAPTER III: Home"]
    assert titles(text) == (["PREFACE", *expected] if "preface" in name else expected)
    for chapter in find_chapters(text, title="Book"):
        assert chapter.body.of(text) == PAGE


def test_contents_of_parts_and_restarted_chapters() -> None:
    listed = "PART ONE\nCHAPTER I\nCHAPTER II\nPART TWO\nCHAPTER I\nCHAPTER II\n"
    body = (
        listed.replace("\n", "\n\n").replace("CHAPTER I\n", "CHAPTER I\n\n~\n").replace("II\n", "II\n\n~\n")
    )
    text = layout("CONTENTS\n\n" + listed + "\n\n\n" + body)
    assert titles(text) == [
        "PART ONE, CHAPTER I",
        "PART ONE, CHAPTER II",
        "PART TWO, CHAPTER I",
        "PART TWO, CHAPTER II",
    ]


def test_contents_with_an_epilogue() -> None:
    listed = "CONTENTS\n\nCHAPTER 1. The Ferry.\n\nCHAPTER 2. The Storm.\n\nEpilogue\n\n\nA note.\n\n"
    text = layout(listed + "CHAPTER 1. The Ferry.\n\n~\n\nCHAPTER 2. The Storm.\n\n~\n\nEpilogue\n\n~")
    assert titles(text) == ["CHAPTER 1: The Ferry", "CHAPTER 2: The Storm", "Epilogue"]


def test_contents_behind_the_book() -> None:
    body = "\n\n".join(f"CHAPTER {n}\n\n~" for n in ["I", "II", "III"])
    text = layout(body + "\n\nCONTENTS\n\nCHAPTER I\n\nCHAPTER II\n\nCHAPTER III\n")
    assert titles(text) == ["CHAPTER I", "CHAPTER II", "CHAPTER III"]


def test_titles_that_only_a_contents_page_gives_away() -> None:
    names = ["Story of the Ferry", "Search for the Box", "The Last Night"]
    contents = "CONTENTS\n\n" + "\n".join(f"  {name} .... {n}" for n, name in enumerate(names))
    text = layout(contents + "\n\n\n" + "\n\n".join(f"{name.upper()}\n\n~" for name in names))
    assert titles(text) == [name.upper() for name in names]
    check_spans(text)


def test_lines_that_begin_with_i_are_no_chapters() -> None:
    lines = (
        "~\n\nI think so.\n\nI\n\nI am Anna.\n\n~\n\nI, too, have waited.\n\nI. Marsh\n\n~\n\nI Did Not\n\n~"
    )
    assert titles(layout(lines)) == ["Book"]


def test_numbers_in_lists_and_letters_are_no_chapters() -> None:
    listed = "1. Take the box.\n\n2. Ask for the ferry.\n\n3. Wait.\n\n"
    text = layout(f"CHAPTER I\n\n~\n\n{listed}~\n\nCHAPTER II\n\n~\n\nPart two of the letter I keep.\n\n~")
    assert titles(text) == ["CHAPTER I", "CHAPTER II"]
    assert titles(layout(f"~\n\n{listed}~")) == ["Book"]


def test_numbered_chapters_with_a_list_between() -> None:
    text = layout("1\n\n~\n\n2\n\n~\n\n1. Take the box.\n\n2. Ask.\n\n3. Wait.\n\n~\n\n3\n\n~\n\n4\n\n~")
    assert titles(text) == ["1", "2", "3", "4"]


def test_a_sentence_that_speaks_of_chapters() -> None:
    text = layout(
        "CHAPTER I\n\n~\n\nChapter two of that book was dull.\n\nPart of it\n\n~\n\nCHAPTER II\n\n~"
    )
    assert titles(text) == ["CHAPTER I", "CHAPTER II"]


def test_gutenberg_header_and_licence_are_left_out() -> None:
    text = layout(
        "The Project Gutenberg EBook of The Ferry\n\nTitle: The Ferry\n\n"
        "*** START OF THE PROJECT GUTENBERG EBOOK THE FERRY ***\n\nProduced by Nobody\n\nTHE FERRY\n\n"
        "[Transcriber's Note: spelling kept.]\n\nCHAPTER I\n\n~\n\nCHAPTER II\n\n~\n\nTHE END\n\n"
        "Transcriber's Notes\n\nA comma was added.\n\n"
        "*** END OF THE PROJECT GUTENBERG EBOOK THE FERRY ***\n\n"
        "CHAPTER III\n\nLicence words.\n"
    )
    chapters = find_chapters(text, title="Book")
    assert [chapter.title for chapter in chapters] == ["CHAPTER I", "CHAPTER II"]
    assert chapters[1].body.of(text) == PAGE


def test_a_text_without_chapters_loses_the_licence_too() -> None:
    text = layout(
        "Header\n*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n\n~\n\nEnd of the Project Gutenberg EBook\n"
    )
    (chapter,) = find_chapters(text, title="Book")
    assert chapter.body.of(text) == PAGE
    assert len(chapter.heading) == 0


def test_title_page_and_dedication_are_left_out() -> None:
    verse = "\n".join(["The sea is wide and cold and green,", "And I have sat where I was seen,"] * 20)
    text = layout(
        f"THE FERRY\n\nby\n\nA. Marsh\n\nTo my mother\n\n{verse}\n\nCHAPTER I\n\n~\n\nCHAPTER II\n\n~"
    )
    assert titles(text) == ["CHAPTER I", "CHAPTER II"]


def test_a_long_opening_without_a_heading_is_a_chapter() -> None:
    text = layout("THE FERRY\n\n" + "~\n\n" * 4 + "I\n\n~\n\nII\n\n~")
    chapters = find_chapters(text, title="Book")
    assert [chapter.title for chapter in chapters] == ["Opening", "I", "II"]
    assert chapters[0].body.of(text) == "\n\n".join([PAGE] * 4)


def test_an_editors_introduction_is_left_out() -> None:
    text = layout("INTRODUCTORY NOTE\n\n" + "~\n\n" * 6 + "PREFACE\n\n~\n\nCHAPTER I\n\n~\n\nCHAPTER II\n\n~")
    assert titles(text) == ["PREFACE", "CHAPTER I", "CHAPTER II"]


def test_a_part_heading_belongs_to_the_chapter_after_it() -> None:
    text = layout("PART ONE\n\nWater\n\nCHAPTER I\n\n~\n\nPART TWO\n\nLand\n\nCHAPTER II\n\n~")
    first, second = find_chapters(text, title="Book")
    assert first.heading.of(text) == "PART ONE\n\nWater\n\nCHAPTER I"
    assert second.heading.of(text) == "PART TWO\n\nLand\n\nCHAPTER II"
    assert first.body.of(text) == second.body.of(text) == PAGE


def test_later_chapters_do_not_move_earlier_ones() -> None:
    head = layout("CHAPTER I\n\nThe Ferry\n\n~\n\nCHAPTER II\n\nThe Storm\n\n~\n\n")
    one = find_chapters(head + "\n\n" + layout("CHAPTER III\n\n~\n\nCHAPTER IV\n\n~"), title="Book")
    two = find_chapters(head + "\n\nCHAPTER III\n\nHome\n\nX.\n\nCHAPTER IV\n\nY.", title="Book")
    assert one[:2] == two[:2]


# In these only more of the same tells what the first ones are.
TOLD_BY_MORE = {
    "restarts with no reason given",
    "titles with numbered sections inside",
    "markdown chapters of named scenes",
    "markdown chapters of named scenes under a title",
}


@pytest.mark.parametrize("name", sorted(LAYOUTS.keys() - TOLD_BY_MORE))
def test_a_book_that_breaks_off_keeps_the_chapters_it_has(name: str) -> None:
    text = layout(
        "CONTENTS\n\nNothing\n\n\n" + LAYOUTS[name][0] if "#" not in LAYOUTS[name][0] else LAYOUTS[name][0]
    )
    whole = find_chapters(text, title="Book")
    for horizon in range(1, len(whole)):
        cut = text[: whole[horizon].heading.start]
        assert find_chapters(cut, title="Book") == whole[:horizon]


def test_tildes_between_blank_lines_part_scenes_and_fence_nothing() -> None:
    text = "".join(f"# Chapter {n}\n\n{PAGE}\n\n~~~\n\n{PAGE}\n\n" for n in range(1, 6))
    assert titles(text) == [f"Chapter {n}" for n in range(1, 6)]


@pytest.mark.parametrize(
    ("top", "title"),
    [
        ("The Crossing", "The Crossing"),
        ("Chapter One", None),
        ("Ch. 1: The Mill", None),
        ("Part Two", None),
        ("Prologue", None),
        ("Seven", "Seven"),
        ("1984", "1984"),
    ],
)
def test_the_first_chapter_is_not_the_title_of_the_book(top: str, title: str | None) -> None:
    assert title_of(f"# {top}\n\n## The Mill\n\n{PAGE}\n\n## The Road\n\n{PAGE}\n") == title


HOSTILE = {
    "numerals": "I\n\n" * 50_000,
    "numbers": "\n\n".join(f"{n % 300 + 1}. Take it" for n in range(30_000)),
    "chapters": "CHAPTER I\n" * 50_000,
    "counting": "\n".join(f"CHAPTER {n % 390 + 1}" for n in range(40_000)),
    "contents": "CONTENTS\n" + "\n".join(f"Line {n}" for n in range(60_000)),
    "one line": "CHAPTER I " * 200_000,
    "spaces": " " * 2_000_000,
    "blank lines": "\n" * 1_000_000,
    "marks": "# " * 700_000 + "\n" + "#" * 500_000,
    "brackets": "[Illustration: " * 100_000,
    "illustrations": "CHAPTER I\n" + "[Illustration\n" * 100_000,
    "markdown": "# a\n" * 40_000,
    "alternating": "PART I\nCHAPTER I\nI\n\n" * 15_000,
    "prologues": "PROLOGUE\n\nword\n\n" * 50_000,
    "letters": "".join(f"LETTER {n % 300 + 1}\n\nword\n\n" for n in range(30_000))
    + "CHAPTER 1\n\nword " * 300,
    "dates and names": "3 May\n\nANNA\n\nBO\n\nword\n\n" * 30_000,
    "spaced letters": "C H A P T E R  I I I\n\n" * 50_000,
    "dots": "CHAPTER I" + "." * 1_000_000,
    "contents lines": "CONTENTS\n\n" + "a . . . 1\n\n" * 100_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_read_in_linear_time(name: str) -> None:
    began = time.process_time()
    find_chapters(HOSTILE[name], title="Book")
    assert (
        time.process_time() - began < 10.0
    )  # a few seconds at most on a slow machine; quadratic takes hours


LINES = """CHAPTER I|CHAPTER 2.|II|1|PART ONE|PROLOGUE|# A|## B|THE END|CONTENTS|||a b c.|I|VOLUME II|Notes
|Letter 3: X|***|[Illustration: x|x]|*** START OF THE PROJECT GUTENBERG EBOOK|BOOK I, CHAPTER I|A title|1. A
|2. B|End of the Project Gutenberg EBook"""
WORDS = st.sampled_from([*LINES.replace("\n", "").split("|"), " word" * 70])


@given(st.lists(WORDS, max_size=40), st.sampled_from(["\n", "\r\n", "\r"]))
def test_spans_hold_for_any_text(lines: list[str], newline: str) -> None:
    check_spans(newline.join(lines))


@given(st.text(max_size=300))
def test_spans_hold_for_any_characters(text: str) -> None:
    check_spans(text)
