"""Findings as SARIF 2.1.0: what the standard asks for, and places that are right."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import values

from fabula.core.types import Evidence, Span
from fabula.story.continuity.reporting.sarif import SourceText, sarif_log
from fabula.story.model.findings import CheckReport, Severity, Suppressed, Violation

BOOK = "Chapter 1\r\n\r\nHer eyes were grey.\r\n\r\nChapter 2\r\n\r\nHer eyes\r\nwere brown, “she” said.\r\n"


def eyes(view, draft=None):
    """Eyes that change ``colour``.

    More of it.
    """


def quote(text, chapter, document="book"):
    start = BOOK.index(text)
    return Evidence(document, chapter, Span(start, start + len(text)), text)


SIDES = (quote("Her eyes were grey.", 1), quote("Her eyes\r\nwere brown", 2))

ONE = Violation("eyes", Severity.ERROR, "Grey, then brown.", ("anna",), SIDES, "Choose one.", "dyed")


def run(*violations, **given):
    report = CheckReport(violations, 1, 1, 10, **given)
    sources = {"book": SourceText("my books/a b.txt", BOOK)}
    log = sarif_log(report, rules=[eyes], sources=sources, version="1.2.3")
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-schema-2.1.0.json")
    json.dumps(log, allow_nan=False)
    return log["runs"][0]


def test_places_are_of_the_files_own_lines_and_characters():
    (result,) = run(ONE)["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "my%20books/a%20b.txt"}
    region = place["region"]
    # the quote begins line 7, column 1 and ends before column 11 of line 8
    assert [region[k] for k in ("startLine", "startColumn", "endLine", "endColumn")] == [7, 1, 8, 11]
    start, length = region["charOffset"], region["charLength"]
    assert BOOK[start : start + length] == region["snippet"]["text"] == SIDES[1].quote
    (earlier,) = result["relatedLocations"]
    assert earlier["physicalLocation"]["region"]["startLine"] == 3
    assert earlier["message"]["text"] == "“Her eyes were grey.”"


def test_what_the_standard_asks_for():
    made = run(ONE)
    driver = made["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("fabula", "1.2.3")
    (rule,) = driver["rules"]
    assert rule["id"] == "eyes"
    assert rule["shortDescription"]["text"] == __doc__
    assert rule["fullDescription"]["text"] == "Eyes that change colour."
    (result,) = made["results"]
    assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "eyes"
    assert result["level"] == "error" and result["message"]["text"].startswith("Grey, then brown.")
    assert result["partialFingerprints"] == {"fabula/v1": ONE.fingerprint}
    assert made["columnKind"] == "unicodeCodePoints"
    allowed = "ruleId ruleIndex level message locations relatedLocations partialFingerprints properties"
    assert set(result) <= {*allowed.split(), "suppressions"}


def test_levels_suppressions_and_quotes_without_a_file():
    hint = Violation("other", Severity.INFO, "m", (), (quote("Her eyes were grey.", 1, "codex"), SIDES[1]))
    note, meant = run(hint, suppressed=(Suppressed(ONE, "lenses"),))["results"]
    assert note["level"] == "note" and "ruleIndex" not in note and "suppressions" not in note
    assert "physicalLocation" not in note["relatedLocations"][0]
    assert note["relatedLocations"][0]["logicalLocations"][0]["name"] == "codex, chapter 1"
    assert meant["suppressions"] == [{"kind": "external", "status": "accepted", "justification": "lenses"}]


@pytest.mark.parametrize(("path", "uri"), values(__file__, "paths_as_uris.tsv"))
def test_paths_as_uris(path, uri):
    assert SourceText(path, "").uri == uri


@given(st.text(alphabet="ab\n\r “", min_size=1, max_size=60), st.data())
def test_lines_and_columns_lead_back_to_the_offset(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    region = SourceText("a", text).region(Evidence("a", 1, Span(start, end), text[start:end]))
    lines = text.split("\n")
    for line, column, place in (("startLine", "startColumn", start), ("endLine", "endColumn", end)):
        before = sum(len(each) + 1 for each in lines[: region[line] - 1])
        assert before + region[column] - 1 == place


def test_what_a_story_says_makes_no_link_in_a_message():
    text = r"[here](javascript:alert(1)) ![x](http://127.0.0.1/x) [1](2) \[a]"
    side = Evidence("book", 1, Span(0, len(text)), text)
    linking = Violation("eyes", Severity.ERROR, f"She said {text}.", ("anna",), (side, side), text, "")
    (result,) = run(linking)["results"]
    messages = [result["message"]["text"], *(one["message"]["text"] for one in result["relatedLocations"])]
    assert len(messages) == 2
    for message in messages:
        assert not re.search(r"(?<!\\)(?:\\\\)*[\[\]]", message), message
        assert text in re.sub(r"\\(.)", r"\1", message)
    snippet = result["locations"][0]["physicalLocation"]["region"]["snippet"]["text"]
    assert snippet == text  # no message: as it stands in the file
