"""Indexing and opening: what is worked on, what is kept, what a kill leaves behind."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from fabula.core.documents import document_from_text
from fabula.core.types import Horizon
from fabula.demo import story_text
from fabula.engine import Project, index_book
from fabula.errors import ConfigError, HorizonError, ProjectError

QUERIES = ["Who forged the telegram?", "a quarrel between old friends", "bees on the night train"]


def _answers(folder, as_of=None):
    with Project.open(folder) as project:
        found = [project.search(q, 8, as_of=as_of) for q in QUERIES]
        return found, project.graph.to_json(), project.check(as_of=as_of)


def _without_last_chapter(text):
    last = document_from_text(text, id="x", title="x").chapters[-1]
    return text[: last.heading.start]


def test_indexing_again_works_on_nothing(demo_copy):
    report = index_book(demo_copy.book, demo_copy.project)
    assert (report.embedded, report.read, report.embedded_chunks) == (0, 0, 0)


def test_an_added_chapter_costs_only_itself_and_equals_a_rebuild(tmp_path):
    book, grown = tmp_path / "story.md", tmp_path / "grown"
    book.write_text(_without_last_chapter(story_text()), encoding="utf-8", newline="")
    first = index_book(book, grown)
    book.write_text(story_text(), encoding="utf-8", newline="")
    second = index_book(book, grown)
    assert second.chapters == first.chapters + 1
    assert (second.embedded, second.read) == (1, 1)
    whole = tmp_path / "whole"
    index_book(book, whole)
    assert _answers(grown) == _answers(whole)
    assert _answers(grown, 5) == _answers(whole, 5)


@pytest.mark.slow
def test_an_edited_chapter_costs_only_itself_and_equals_a_rebuild(demo_copy, tmp_path):
    text = story_text()
    body = document_from_text(text, id="x", title="x").chapters[4].body
    edited = text[: body.start] + text[body.start : body.end].replace(" the ", " that ", 3) + text[body.end :]
    demo_copy.book.write_text(edited, encoding="utf-8", newline="")
    report = index_book(demo_copy.book, demo_copy.project)
    assert (report.embedded, report.read) == (1, 1)
    index_book(demo_copy.book, tmp_path / "whole")
    assert _answers(demo_copy.project) == _answers(tmp_path / "whole")


@pytest.mark.slow
def test_rebuild_gives_the_same(demo_copy):
    before = _answers(demo_copy.project)
    report = index_book(demo_copy.book, demo_copy.project, rebuild=True)
    assert report.embedded == report.read == report.chapters
    assert _answers(demo_copy.project) == before


def test_another_book_is_refused(demo_copy, tmp_path):
    other = tmp_path / "other.txt"
    other.write_text("A short tale. It ends here.")
    with pytest.raises(ProjectError, match="index another book into its own folder"):
        index_book(other, demo_copy.project)


def test_dense_search_equals_brute_force(demo_project):
    with Project.open(demo_project) as project:
        texts = [c.text for c in project.chunks if c.chapter <= 6]
        vectors = np.load(project._index / "vectors.npy")[: len(texts)]
        query = project.embedder.embed_query(QUERIES[0])
        best = np.lexsort((np.arange(len(texts)), -(vectors @ query)))[:7]
        found = project.search(QUERIES[0], 7, as_of=6, mode="semantic").passages
        assert [p.chunk.ordinal for p in found] == best.tolist()
        np.testing.assert_allclose([p.score for p in found], (vectors @ query)[best], atol=1e-6)


@pytest.mark.parametrize("as_of", [None, 6])
@pytest.mark.parametrize("variant", ["okapi", "lucene"])
def test_bm25_on_the_demo_story_equals_independent_implementations(demo_project, as_of, variant):
    from fabula.core.text.tokenizing import Tokenizer

    terms = Tokenizer().terms
    with Project.open(demo_project, assignments=[f"retrieval.bm25_variant={variant}"]) as project:
        told = [terms(c.text) for c in project.chunks if Horizon(as_of).admits(c.chapter)]
        for query in QUERIES:
            if variant == "okapi":
                from rank_bm25 import BM25Okapi

                expected = BM25Okapi(told).get_scores(terms(query))
            else:
                import bm25s

                bm25 = bm25s.BM25(method="lucene", dtype="float64")
                bm25.index(told, show_progress=False)
                expected = bm25.get_scores([t for t in terms(query) if t in bm25.vocab_dict])
            found = project.lexical.scores(query, limit=len(told))
            np.testing.assert_allclose(found, expected, atol=1e-6)


def test_every_quote_of_the_graph_stands_in_the_text(demo_project):
    with Project.open(demo_project) as project:
        log, text = project.graph.log, project.document.text
        evidence = [m.evidence for m in (*log.mentions, *log.merges, *log.states)]
        evidence += [e for r in (*log.relations, *log.events, *log.causes) for e in r.evidence]
        assert len(evidence) > 500
        for one in evidence:
            one.verify(text)
            assert project.document.chapter(one.chapter).body.contains(one.span)
        for violation in project.check().violations:
            assert len(violation.evidence) >= 1
            for one in violation.evidence:
                one.verify(text)


def test_a_draft_is_checked_against_the_story_so_far_only(demo_project):
    with Project.open(demo_project) as project:
        names = [e.name for e in project.view(4).entities()[:2]]
        draft = f"{names[0]} hated {names[1]}. {names[0]} loved {names[1]}."
        report = project.check(as_of=4, draft=draft)
        assert report.facts_checkable >= 2
        assert any(v.rule == "relationship_conflict" for v in report.violations)
        sides = {e.document_id for v in report.violations for e in v.evidence}
        assert "draft" in sides
        assert project.check(as_of=4, draft=draft) == report


def test_a_chapter_that_is_not_there(demo_project):
    with Project.open(demo_project) as project:
        for chapter in (0, -1, 999):
            with pytest.raises(HorizonError, match="has chapters 1 to"):
                project.search("x", as_of=chapter)


@pytest.mark.slow
@pytest.mark.parametrize("after", [4.0, 7.0, 9.0])
def test_killed_while_indexing_it_goes_on_where_it_stopped(tmp_path, after):
    book, folder = tmp_path / "story.md", tmp_path / "project"
    book.write_text(story_text(), encoding="utf-8", newline="")
    command = [sys.executable, "-m", "fabula", "index", str(book), "-o", str(folder), "--json"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        time.sleep(after)
        os.kill(process.pid, signal.SIGKILL)
    index_book(book, folder)
    index_book(book, tmp_path / "whole")
    assert _answers(folder) == _answers(tmp_path / "whole")


@pytest.mark.parametrize(
    "assignment",
    ["embedding.model=/no/such", "chunking.size=300", "parsing.model=other", "embedding.device=cuda"],
)
def test_a_setting_that_the_index_was_made_with_is_not_ignored(demo_project, run_cli, tmp_path, assignment):
    ran = run_cli("search", demo_project, "letter", "--mode", "lexical", "--set", assignment)
    name = assignment.partition("=")[0]
    assert ran.code == 2 and ran.err.count("\n") == 1
    assert f"was made with {name} = " in ran.err and "fabula index BOOK" in ran.err
    section, _, key = name.partition(".")
    (tmp_path / "own.toml").write_text(f"[{section}]\n{key} = {assignment.partition('=')[2]!r}\n")
    with pytest.raises(ConfigError, match="was made with"):
        Project.open(demo_project, settings=[tmp_path / "own.toml"])


def test_settings_that_merely_stand_somewhere_stay_quiet(demo_copy, run_cli):
    (demo_copy.project / "fabula.toml").write_text("[chunking]\nsize = 300\n")
    asked = ("search", demo_copy.project, "letter", "--mode", "lexical")
    assert run_cli(*asked).err == ""
    assert run_cli(*asked, "--set", "chunking.size=540").err == ""
