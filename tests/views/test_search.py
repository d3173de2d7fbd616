from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.examples import rows

from fabula.engine import Project
from fabula.views.search import SearchAsked, highlights, search_shown


@pytest.fixture(scope="module")
def project(demo_project):
    with Project.open(demo_project) as opened:
        yield opened


def test_a_hit_is_the_text_at_its_place_and_its_score_is_shared_out(project):
    shown = search_shown(project, SearchAsked("lamp on the footplate", 5), as_of=9)
    text = project.document.text
    assert len(shown.hits) == 5
    for hit in shown.hits:
        chunk = hit.passage.chunk
        assert chunk.span.of(text) == chunk.text == hit.around.quote
        assert hit.around.before + chunk.text + hit.around.after in text
        assert sum(part for _, _, part in hit.shares) == pytest.approx(1)
    assert shown.result.decision.semantic == pytest.approx(0.4)
    assert any("start at 0.40 semantic" in reason for reason in shown.why)
    assert "lamp" in {mark.of(hit.passage.chunk.text) for hit in shown.hits for mark in hit.marks}


@pytest.mark.parametrize("mode", ["lexical", "semantic"])
def test_one_index_alone_has_no_weight(project, mode):
    shown = search_shown(project, SearchAsked("lamp", 3, mode), as_of=9)
    assert shown.result.decision is None
    assert {share.retriever for hit in shown.hits for _, share, _ in hit.shares} == {mode}


def test_nothing_found_is_no_hits(project):
    assert search_shown(project, SearchAsked("zzzz", 3, "lexical"), as_of=1).hits == ()


MARKED = Path(__file__).with_name("marked_words.tsv")


@pytest.mark.parametrize(("text", "query", "marked"), [*rows(MARKED), ("any", "", "-"), ("", "lamp", "-")])
def test_words_that_share_a_stem_are_marked(text, query, marked):
    assert [span.of(text) for span in highlights(text, query)] == marked.strip("-").split()


@given(st.text(max_size=80), st.text(max_size=40))
def test_marks_are_in_order_and_apart(text, query):
    spans = highlights(text, query)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(one.end <= other.start for one, other in pairwise(spans))
