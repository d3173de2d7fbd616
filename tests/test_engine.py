import numpy as np
import pytest

from fabula.core.types import Horizon
from fabula.engine import Project
from fabula.errors import ConfigError, HorizonError

BACKENDS = {"okapi": "rank-bm25", "lucene": "fabula"}
QUERIES = ["Who forged the telegram?", "a quarrel between old friends", "bees on the night train"]


def test_dense_search_equals_brute_force(demo_project):
    with Project.open(demo_project) as project:
        texts = [c.text for c in project.chunks if c.chapter <= 6]
        vectors = np.load(project._index.files("vectors.npy") / "vectors.npy")[: len(texts)]
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
    with Project.open(demo_project, assignments=[f"retrieval.backend={BACKENDS[variant]}"]) as project:
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
        evidence += [e for r in (*log.relations, *log.events) for e in r.evidence]
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
