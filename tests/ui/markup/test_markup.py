import re
from dataclasses import replace

import pytest
from tests.stories.comparison_fakes import make_engine
from tests.stories.html_pages import Page
from tests.tables import values
from tests.ui.conftest import EVIL

from fabula.core.types import Horizon
from fabula.library.library import Entry
from fabula.story.writing.pipelines import PIPELINES
from fabula.ui.markup import STYLE, USES
from fabula.ui.markup import page as markup
from fabula.ui.shell import ICON
from fabula.views.text.comparison import DEFINITIONS, metric_rows


def compare(**changes):
    return make_engine(**changes).compare("Anna meets Bela at the mill.", horizon=Horizon(2))


def test_templates_escape_all_that_they_are_given():
    for template in STYLE.parent.glob("*.html"):
        text = template.read_text(encoding="utf-8")
        assert not re.search(r"\bsafe\b|autoescape|<script|<img|<iframe|\bon\w+=", text)
        assert not re.search(r"<[^<>]*=\s*\{\{", text), "an attribute whose value stands in no quotes"
    page = Page(markup.note(EVIL) + markup.table(f'"{EVIL}', [EVIL], [[EVIL, EVIL]]))
    assert "script" not in page.tags and page.words.count(EVIL) == 4


def test_the_style_and_the_icon_ask_for_nothing():
    assert not re.search(r"url\(|@import|http|src=", STYLE.read_text(encoding="utf-8") + ICON)


def test_every_metric_and_every_pipeline_is_explained():
    assert set(USES) == {pipeline.name for pipeline in PIPELINES}
    words = Page(markup.metric_table(compare())).words
    for row in metric_rows(compare()):
        assert row.label in words and DEFINITIONS[row.label] in words


def test_a_finding_shows_both_quotes_and_where_they_stand():
    report = compare()
    assert Page(markup.checked(report.results[0])).words.startswith("1 finding; ")
    words = Page(markup.finding(report.results[0].violations[0], report)).words
    for told in ("ch. 2“Old Cato drowned in the weir.”", "draft“Cato said”"):
        assert told in words
    assert "To fix Let someone else speak." in words
    linked = markup.finding(report.results[0].violations[0], report, lambda quote: f"read?at={quote.start}")
    assert linked.count('<a class="f-link" href="read?at=') == 1  # the draft's side cannot be opened


def test_a_context_shows_its_sections_quotes_and_what_was_left_out():
    report = compare()
    for given in (result.context for result in report.results):
        words = Page(markup.context(given, report)).words
        assert f"{given.context.tokens} of {given.budget} tokens" in words
        for source in given.sources:
            assert source.section in words and source.text.strip() in words
            if source.kind == "note":
                assert all(quote.quote.strip() in words for quote in source.evidence)
        assert ("Left out:" in words) == bool(given.context.left_out)
        assert all(left.label in words for left in given.context.left_out)


@pytest.mark.parametrize(("facts", "checked", "words"), values(__file__, "silence.tsv"))
def test_silence_is_not_praise(facts, checked, words):
    result = compare().results[1]
    check = replace(result.check, facts_checkable=facts, facts_checked=checked)
    changed = replace(result, drafts=(replace(result.drafts[0], check=check),))
    assert Page(markup.checked(changed)).words == words


def test_the_header_says_of_which_story_and_how_far():
    words = Page(markup.header("Search", "Why.", Entry(None, "T" * 200, 9, 7, "1-1"), 4)).words
    assert "read up to chapter 4 of 9" in words and "T" * 119 + "…" in words
    assert "chapter" not in Page(markup.header("Settings", "Why.", None, 0)).words
