import re
from dataclasses import replace

import pytest
from tests.stories.comparison_fakes import BODIES, TEXTS, make_document, make_engine, refused
from tests.stories.html_pages import Page
from tests.tables import values

from fabula.core.types import Horizon
from fabula.library.library import Entry
from fabula.project.accepting import Suggestion
from fabula.story.writing.pipelines import PIPELINES
from fabula.ui.markup import STYLE, USES
from fabula.ui.markup import page as markup
from fabula.ui.shell import ICON
from fabula.ui.state.live import LiveDraft
from fabula.views.text.comparison import DEFINITIONS, metric_rows

EVIL = (
    "<script>bad()</script> ![x](http://evil.invalid/x.png) <img src='http://evil.invalid/y' onerror=bad()>"
)
OURS = set("div p h1 h2 h3 h4 dl dt dd b i small span header article blockquote cite".split()) | set(
    "ol ul li details summary table thead tbody tr th td".split()
)


def compare(*, prompt="Anna meets Bela at the mill.", **changes):
    return make_engine(**changes).compare(prompt, horizon=Horizon(2))


def whole(report):
    """Every piece of a report's page, as one."""
    pieces = [markup.asked(report), markup.metric_table(report)]
    for result in report.results:
        pieces += [markup.head(result.pipeline), markup.strip(result), markup.checked(result)]
        pieces += [markup.prose(result.draft.generation.text)] if result.draft else []
        pieces += [markup.finding(violation, report) for violation in result.violations]
        pieces += [text for _, text in markup.set_aside(result)]
        pieces += [markup.context(result.context, report)] if result.context else []
    return "".join(pieces)


def test_nothing_a_story_says_becomes_markup():
    document = make_document((BODIES[0] + EVIL, BODIES[1] + f" {EVIL}", BODIES[2]))
    texts = {name: f"{text} {EVIL}" for name, text in TEXTS.items()}
    report = compare(prompt=f"Anna {EVIL}", document=document, texts=texts)
    found = report.results[0].violations[0]
    evil = replace(found, rule=EVIL, message=EVIL, suggestion=EVIL, unless=EVIL)
    evil_quotes = tuple(replace(quote, quote=EVIL) for quote in found.evidence)
    entry = Entry(None, EVIL, 2, 1, "1-1")
    page = whole(replace(report, model=EVIL, cast_names=(EVIL,))) + "".join(
        (
            markup.finding(evil, report),
            markup.suggestion(Suggestion(EVIL, (replace(evil, evidence=evil_quotes),))),
            markup.story_card(entry, chosen=True),
            markup.header(EVIL, EVIL, entry, 1),
            markup.head(EVIL),
            markup.live(LiveDraft("generate", EVIL)),
            markup.live(LiveDraft("error", EVIL, EVIL)),
            markup.live(LiveDraft(EVIL)),
            markup.note(EVIL),
            markup.alert(EVIL),
        )
    )
    checker = Page(page)
    assert set(checker.tags) <= OURS
    names = {"class", "role", "title", "scope", "colspan", "tabindex", "aria-label", "dir"}
    assert {name for name, _ in checker.attributes} <= names
    assert checker.words.count("![x](http://evil.invalid/x.png)") > 20


def test_the_style_and_the_icon_ask_for_nothing():
    assert not re.search(r"url\(|@import|http|src=", STYLE.read_text(encoding="utf-8") + ICON)


def test_every_metric_and_every_pipeline_is_explained():
    assert set(USES) == {pipeline.name for pipeline in PIPELINES}
    words = Page(markup.metric_table(compare())).words
    for row in metric_rows(compare()):
        assert row.label in words and DEFINITIONS[row.label] in words


def test_the_strip_holds_the_four_numbers():
    report = compare()
    words = Page(markup.strip(report.results[0])).words
    tokens = f"{report.results[0].context.context.tokens:,}"
    # one finding: 1 - 0.1; the fake critic checks half of the facts it reads
    assert re.fullmatch(rf"consistency0\.90coverage\d+%context tokens{tokens}seconds\d+\.\d", words)
    failed = compare(texts={name: refused("gone") for name in TEXTS}).results[0]
    assert "consistency–coverage–" in Page(markup.strip(failed)).words


def test_a_finding_shows_both_quotes_and_where_they_stand():
    report = compare()
    assert Page(markup.checked(report.results[0])).words.startswith("1 finding; ")
    words = Page(markup.finding(report.results[0].violations[0], report)).words
    assert "error, resurrection" in words
    assert "ch. 2“Old Cato drowned in the weir.”" in words
    assert "draft“Cato said”" in words
    assert "To fix Let someone else speak." in words


def test_a_context_shows_its_sections_quotes_and_what_was_left_out():
    report = compare()
    for result in report.results:
        given = result.context
        words = Page(markup.context(given, report)).words
        assert f"{given.context.tokens} of {given.budget} tokens" in words
        for source in given.sources:
            assert source.section in words
            assert source.text.strip() in words
            if source.kind == "note":
                assert all(quote.quote.strip() in words for quote in source.evidence)
        assert ("Left out:" in words) == bool(given.context.left_out)
        assert all(left.label in words for left in given.context.left_out)


@pytest.mark.parametrize(("facts", "checked", "words"), values(__file__, "silence.tsv"))
def test_silence_is_not_praise(facts, checked, words):
    result = compare().results[1]
    assert result.violations == ()
    check = replace(result.check, facts_checkable=facts, facts_checked=checked)
    changed = replace(result, drafts=(replace(result.drafts[0], check=check),))
    assert Page(markup.checked(changed)).words == words


def test_the_draft_that_does_not_count_is_kept_at_hand():
    [(title, text)] = markup.set_aside(compare().result("fused"))
    assert title == "First draft (not kept)"
    assert TEXTS["fused"] in Page(text).words


def test_the_header_says_of_which_story_and_how_far():
    entry = Entry(None, "T" * 200, 9, 7, "1-1")
    words = Page(markup.header("Search", "Why.", entry, 4)).words
    assert "read up to chapter 4 of 9" in words
    assert "T" * 119 + "…" in words
    assert "chapter" not in Page(markup.header("Settings", "Why.", None, 0)).words
