import itertools
import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories import comparison_fakes as fakes
from tests.stories.comparison_fakes import BODIES, TEXTS, make_document, make_engine, refused
from tests.stories.html_pages import Page
from tests.tables import values

from fabula.core.runtime.memory_monitor import GIB, MemoryReport
from fabula.core.types import Horizon
from fabula.story.comparison.report import SCHEMA
from fabula.views.comparison_page import render_html
from fabula.views.text.comparison import metric_rows, render_json, render_text, verdict
from fabula.views.word_diff import changed_share, word_diff

MEMORY = MemoryReport(3 * GIB, 12 * GIB, ("dropped a cache",))

SCRIPT = "<script>alert('x')</script>"
PROMPT = "Anna meets Bela at the mill."
LETTERS = st.text(st.sampled_from("ab \n."), max_size=40)


def compare(*, prompt=PROMPT, **changes):
    return make_engine(**changes).compare(prompt, horizon=Horizon(2))


def hostile():
    bodies = (BODIES[0], BODIES[1] + f" \x1b[31mRed {SCRIPT} \u202e.", BODIES[2])
    texts = {name: f"{text} {SCRIPT} \x1b]0;title\x07" for name, text in TEXTS.items()}
    return compare(prompt=f"Anna {SCRIPT} \x1b[2J", document=make_document(bodies), texts=texts)


def test_text_says_everything_within_100_columns_in_aligned_tables():
    text = render_text(compare(), memory=MEMORY)
    assert max(map(len, text.splitlines())) <= 100
    for wanted in (
        PROMPT,
        "chapter 2; nothing from later chapters was read",
        "Anna, Bela (named in the prompt)",
        "error resurrection: Cato speaks, but he is dead.",
        "ch. 2   “Old Cato drowned in the weir.”",
        "draft   “Cato said”",
        "First draft (not kept)",
        "Revision (kept)",
        "revised once: 2 violations, then 0; kept",
        "Memory peak: 3.00 GB of a budget of 12.0 GB",
        "The guard acted: dropped a cache",
    ):
        assert wanted in text
    for draft in TEXTS.values():
        assert draft in re.sub(r"\s+", " ", text)
    lines = text.splitlines()
    head = next(line for line in lines if line.split() == ["standard", "graph", "fused"])
    row = next(line for line in lines if line.startswith("↑ Consistency"))
    assert row.split() == ["↑", "Consistency", "0.90", "1.00*", "1.00*"]
    assert len(row) == len(head)


def test_text_shows_a_failure_and_cannot_act_on_the_terminal():
    text = render_text(compare(texts=TEXTS | {"graph": refused()}))
    assert "FAILED: the model said no" in text
    assert TEXTS["standard"] in text
    assert "–" in next(line for line in text.splitlines() if "Consistency" in line)
    text = render_text(hostile())
    assert max(map(len, text.splitlines())) <= 100
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)


def test_json_is_complete_and_repeats_apart_from_the_machine():
    ticks = itertools.count(0, 3)
    first = json.loads(render_json(compare(), memory=MEMORY))
    second = json.loads(render_json(compare(clock=lambda: float(next(ticks))), memory=MEMORY))
    assert first["facts"] == second["facts"] and first["machine"] != second["machine"]
    assert (first["schema"], '"seconds"' in json.dumps(first["facts"])) == (SCHEMA, False)
    assert first["machine"]["memory"]["peak"] == 3 * GIB
    assert set(first["machine"]) == {"seconds", "versions", "memory"}
    fused = first["facts"]["pipelines"][2]
    assert [d["generation"]["text"] for d in fused["drafts"]] == [TEXTS["fused"], TEXTS["revision"]]
    source = fused["context"]["sources"][0]
    span = source["evidence"][0]["span"]
    assert make_document().text[span["start"] : span["end"]] == source["text"]
    finding = fused["drafts"][0]["check"]["violations"][0]
    assert [side["quote"] for side in finding["evidence"]] == ["Old Cato drowned in the weir.", "Cato said"]
    assert fused["drafts"][0]["prompt"]["version"].startswith("continue/1 ")
    assert first["facts"]["settings"]["sampling"]["max_tokens"] == 220


def test_html_holds_everything_and_nests():
    page = render_html(compare(), memory=MEMORY)
    checker = Page(page)
    words = " ".join(checker.words.split())
    quotes = ("Old Cato drowned in the weir.", "Cato said")
    for wanted in (PROMPT, *TEXTS.values(), *quotes, "3.00 GB of a budget of 12.0 GB"):
        assert wanted in words
    assert checker.tags.count("article") == 3
    assert checker.tags.count("figure") == 2
    assert page.lstrip().lower().startswith("<!doctype html>")


def acts(page):
    """Attributes that run or fetch something."""
    return [name for name, _ in page.attributes if name.startswith(("on", "src", "href"))]


def test_html_asks_for_nothing():
    page = render_html(compare())
    checker = Page(page)
    assert not {"script", "link", "img", "iframe", "object", "form"} & set(checker.tags)
    assert acts(checker) == []
    assert not re.search(r"url\(|@import|https?://", page)
    assert "default-src 'none'" in page
    assert "prefers-color-scheme: dark" in page and "width=device-width" in page


def test_html_escapes_prompt_story_drafts_names_and_messages():
    page = render_html(hostile())
    checker = Page(page)
    assert "script" not in checker.tags
    assert SCRIPT not in page
    assert page.count("&lt;script&gt;") >= 5  # prompt, three drafts, the scene
    report = replace(
        compare(texts=TEXTS | {"graph": refused(f"no {SCRIPT}")}), model=f'm" {SCRIPT}', title=SCRIPT
    )
    results = tuple(replace(result, pipeline=f'"{SCRIPT}{result.pipeline}') for result in report.results)
    checker = Page(render_html(replace(report, results=results)))
    assert "script" not in checker.tags
    assert acts(checker) == []


def test_bars_are_drawn_to_scale_where_there_is_something_to_judge():
    page = render_html(compare())
    widths = [float(w) for w in re.findall(r'class="fill"[^>]* width="([\d.]+)"', page)]
    assert widths == [pytest.approx(360 * value) for value in (0.9, 1.0, 1.0)]
    page = render_html(compare(texts={name: refused("gone") for name in TEXTS}))
    assert 'class="fill"' not in page
    assert page.count("nothing to judge") >= 3
    assert page.count('role="alert"') == 3


@pytest.mark.parametrize("render", [render_text, render_html, render_json])
def test_the_small_model_is_called_what_it_is(render):
    plain = "written by a 135M model: they show how the comparison works, not which pipeline is better"
    generator = fakes.FakeGenerator(lambda prompt: TEXTS[fakes.route(prompt)])
    assert plain not in " ".join(render(compare(generator=generator)).split())
    generator.name = "SmolLM2-135M-Instruct"
    assert plain in " ".join(render(compare(generator=generator)).split())


def test_a_revision_is_called_what_it_is():
    words = "Revised against the same critic that scores it: fused."
    rows = {row.label: row.cells for row in metric_rows(compare())}
    assert rows["Consistency of the first draft"] == ("0.90", "1.00", "0.80")
    for render in (render_text, render_html):
        assert words in " ".join(render(compare()).split())
        clean = compare(texts=TEXTS | {"fused": TEXTS["graph"]})
        assert "Revised against" not in render(clean)
        assert "first draft" not in render(clean).lower()


def with_consistency(report, value):
    first, *others = report.results
    scores = {score.name: score for score in first.metrics.scores}
    scores["consistency"] = replace(scores["consistency"], value=value)
    metrics = replace(first.metrics, scores=tuple(scores.values()))
    return replace(report, results=(replace(first, metrics=metrics), *others))


def test_the_verdict_names_the_best_or_a_tie():
    alike = dict.fromkeys(TEXTS, TEXTS["graph"])
    assert verdict(compare()) == "graph and fused contradict the story least: no findings; standard 1."
    assert verdict(compare(texts=alike)) == "A tie: no findings in each of the 3 drafts that could be judged."
    assert verdict(compare(texts={name: refused() for name in TEXTS})) == ""
    near = with_consistency(compare(texts=alike), 0.9999)
    assert next(row for row in metric_rows(near) if row.label == "Consistency").ahead == (), "1.00 and 1.00"
    for render in (render_text, render_html):
        assert verdict(compare()) in " ".join(render(compare()).split())


@pytest.mark.parametrize(
    ("before", "after", "pieces", "share"), values(__file__, "words_set_beside_each_other.tsv")
)
def test_words_are_set_beside_each_other_and_their_share_is_counted(before, after, pieces, share):
    found = word_diff(before, after)
    assert [(one.kind, one.text) for one in found] == pieces
    assert changed_share(found) == pytest.approx(share)


@given(LETTERS, LETTERS)
def test_the_pieces_make_both_texts(before, after):
    pieces = word_diff(before, after)
    assert "".join(one.text for one in pieces if one.kind != "new") == before
    assert "".join(one.text for one in pieces if one.kind != "gone") == after
    assert 0 <= changed_share(pieces) <= 1
