import inspect
import itertools
import json
import threading
import time

import pytest
from tests.stories import comparison_fakes as fakes
from tests.stories.comparison_fakes import FakeEmbedder
from tests.tables import values

from fabula.core.types import Generation, Horizon, Prompt
from fabula.errors import ConfigError, HorizonError, UsageError
from fabula.story.comparison.report import Marker
from fabula.story.writing.context_maker import ComparisonSettings
from fabula.story.writing.pipelines import GRAPH, STANDARD, Draft, DraftChecker, Pipeline, Sampling, Written

PROMPT = "Anna meets Bela at the mill."
TEXT_SCORES = "consistency violations_per_10k_words coverage scene_coherence repetition presence".split()
PLAIN = Pipeline("fused", passages=True, notes=True, note_share=0.4)


def compare(*, prompt=PROMPT, horizon=2, **changes):
    call = {k: changes.pop(k) for k in ("settings", "pipelines", "on_event") if k in changes}
    return fakes.make_engine(**changes).compare(prompt, horizon=Horizon(horizon), **call)


def scripted(concurrency=1):
    return fakes.FakeGenerator(lambda prompt: fakes.TEXTS[fakes.route(prompt)], concurrency=concurrency)


def facts(report):
    return json.dumps(report.to_dict()["facts"], sort_keys=True)


def test_three_results_in_order_with_all_scores():
    report = compare()
    assert [result.pipeline for result in report.results] == ["standard", "graph", "fused"]
    assert report.cast.characters == ("anna", "bela")
    assert report.cast_names == ("Anna", "Bela")
    for result in report.results:
        assert result.error == ""
        assert {score.name for score in result.metrics.scores} >= set(TEXT_SCORES)
    standard, graph, fused = report.results
    assert standard.context.context.notes == () and graph.context.context.passages == ()
    assert fused.context.context.notes and fused.context.context.passages
    assert standard.metrics.score("consistency").value == pytest.approx(0.9)
    assert report.result("graph") is graph
    with pytest.raises(KeyError):
        report.result("best")


def test_all_get_the_same_budget_and_the_same_scene():
    report = compare(settings=ComparisonSettings(budget=40, scene_tokens=8))
    for result in report.results:
        assert result.context.budget == 40 >= result.context.context.tokens
        assert result.context.scene.quote == "Anna counted the fares. She was afraid."
        assert "[Previous Scene]\nAnna counted the fares." in result.context.text
    assert any(result.context.context.left_out for result in report.results)


def test_fused_revises_and_both_drafts_are_reported():
    fused = compare().result("fused")
    assert [draft.generation.text for draft in fused.drafts] == [
        fakes.TEXTS["fused"],
        fakes.TEXTS["revision"],
    ]
    assert fused.kept == 1 and fused.violations == ()
    assert fused.metrics.score("consistency").value == 1.0
    assert {s.name: s.value for s in fused.first_scores}["consistency"] == pytest.approx(0.8)
    assert fused.metrics.score("completion_tokens").n == 2


def test_the_checker_sees_texts_and_nothing_else():
    checker, asked = fakes.FakeChecker(fakes.make_document()), []
    compare(checker=lambda horizon: asked.append(horizon) or checker)
    assert asked == [Horizon(2)]
    assert checker.seen == [fakes.TEXTS[name] for name in ("standard", "graph", "fused", "revision")]
    assert list(inspect.signature(DraftChecker.check).parameters) == ["self", "text"]
    assert list(inspect.signature(Marker.text_scores).parameters) == ["self", "text", "check"]


@pytest.mark.parametrize("order", list(itertools.permutations(["standard", "graph", "fused"])))
def test_shuffling_who_wrote_what_permutes_the_scores_exactly(order):
    pipelines = (STANDARD, GRAPH, PLAIN)
    straight = compare(pipelines=pipelines)
    written = {pipeline.name: fakes.TEXTS[source] for pipeline, source in zip(pipelines, order, strict=True)}
    shuffled = compare(pipelines=pipelines, texts=written)
    for result, source in zip(shuffled.results, order, strict=True):
        for score in TEXT_SCORES:
            assert result.metrics.score(score) == straight.result(source).metrics.score(score)


def test_threads_change_nothing_but_the_time_and_are_as_many_as_the_generator_allows():
    barrier = threading.Barrier(3, timeout=60)

    def slow(prompt):
        if fakes.route(prompt) != "revision":
            barrier.wait()  # passes only if all three really run at once
        return fakes.TEXTS[fakes.route(prompt)]

    for generator in (fakes.FakeGenerator(slow, concurrency=3), scripted(1), scripted(2)):
        assert facts(compare(generator=generator)) == facts(compare())
        assert generator.most <= generator.concurrency
    assert barrier.n_waiting == 0


def test_the_checker_is_never_called_from_two_threads_at_once():
    inside = threading.Lock()

    class Alone(fakes.FakeChecker):
        def check(self, text):
            assert inside.acquire(blocking=False)
            try:
                time.sleep(0.02)
                return super().check(text)
            finally:
                inside.release()

    report = compare(generator=scripted(concurrency=3), checker=lambda _: Alone(fakes.make_document()))
    assert all(result.check for result in report.results)


def test_contexts_are_ready_before_the_first_text_is_written_and_texts_come_in_pieces():
    retriever, events = fakes.FakeRetriever(fakes.make_document()), []
    compare(retriever=retriever, on_event=events.append)
    stages = [event.stage for event in events]
    last_context = max(i for i, stage in enumerate(stages) if stage in ("retrieve", "context"))
    assert last_context < stages.index("generate")
    assert retriever.asked == [(PROMPT, 12, Horizon(2))]
    assert [event.pipeline for event in events if event.stage == "done"] == ["standard", "graph", "fused"]
    for pipeline, stage, text in (("standard", "generate", "standard"), ("fused", "revise", "revision")):
        pieces = [event.text for event in events if (event.pipeline, event.stage) == (pipeline, stage)]
        assert len(pieces) > 2 and "".join(pieces) == fakes.TEXTS[text]


def test_one_failure_does_not_lose_the_others():
    events = []
    report = compare(texts=fakes.TEXTS | {"graph": fakes.refused()}, on_event=events.append)
    assert report.result("graph").error == "the model said no"
    assert report.result("graph").drafts == ()
    assert report.result("graph").metrics.score("context_tokens") is not None
    assert report.result("standard").draft and report.result("fused").draft
    assert [(e.pipeline, e.text) for e in events if e.stage == "error"] == [("graph", "the model said no")]


def test_a_failing_part_costs_no_more_than_its_share():
    report = compare(retriever=fakes.FakeRetriever(fakes.make_document(), error=fakes.refused("no embedder")))
    assert [result.error for result in report.results] == ["no embedder", "", "no embedder"]
    assert report.result("standard").context is None
    assert report.result("graph").draft
    report = compare(embedder=fakes.FakeEmbedder(error=fakes.refused("no vectors")))
    assert report.notices == ("coherence was not measured: no vectors",)
    standard = report.result("standard")
    assert standard.metrics.score("scene_coherence").value is None
    assert standard.metrics.score("consistency").value == pytest.approx(0.9)


def test_seconds_by_stage_are_the_clocks():
    ticks = itertools.count()
    report = compare(clock=lambda: float(next(ticks)))
    once = {"retrieve": 1.0, "context": 1.0, "generate": 1.0, "check": 1.0}
    assert report.result("standard").metrics.seconds == tuple(once.items())
    more = {"context": 2.0, "check": 2.0, "revise": 1.0}  # notes and own assembling; two checks
    assert report.result("fused").metrics.seconds == tuple((once | more).items())
    assert report.result("fused").metrics.response_time.value == 7.0


def test_nothing_told_after_the_horizon_changes_a_byte():
    later = ("Anna and Bela wed. XYZ! Dora told the truth.", "A fourth chapter about Anna, Bela and Cato.")
    changed = fakes.make_document((*fakes.BODIES[:2], *later))
    assert facts(compare(document=changed)) == facts(compare())
    assert "SECRET-LATER" not in facts(compare())
    assert "SECRET-LATER" in facts(compare(horizon=3))


def test_presence_is_judged_only_where_the_prompt_names_someone():
    for prompt, presence in (("What happens?", None), (PROMPT, 1.0)):
        assert compare(prompt=prompt).result("graph").metrics.score("presence").value == presence


def test_bad_requests_are_refused_before_anything_is_spent():
    generator = fakes.FakeGenerator(lambda prompt: "x", context_tokens=500)
    with pytest.raises(UsageError, match="empty"):
        compare(prompt="  ")
    with pytest.raises(ConfigError, match="lower the budget"):
        compare(generator=generator)
    with pytest.raises(ConfigError, match="name of its own"):
        compare(pipelines=(STANDARD, STANDARD))
    with pytest.raises(HorizonError):
        compare(horizon=9)
    assert generator.prompts == ()
    drawn = [{"sampling": Sampling(**wrong)} for wrong in ({"max_tokens": 0}, {"temperature": -1.0})]
    for wrong in ({"budget": 0}, {"characters": 0}, *drawn):
        with pytest.raises(ConfigError):
            ComparisonSettings(**wrong)


@pytest.mark.parametrize(("model", "small"), values(__file__, "the_small_model_is_called_what.tsv"))
def test_the_small_model_is_called_what_it_is(model, small):
    generator = scripted()
    generator.name = model
    assert bool(compare(generator=generator).caveat) == small


def test_texts_from_elsewhere_are_scored_like_drafts_whatever_they_are_called():
    texts = {"a": "Anna ran the ferry. She hummed.", "b": "Nobody came."}

    def score(texts, prompt="Anna waits."):
        return fakes.make_engine().score(texts, prompt=prompt, horizon=Horizon(2))

    report = score(texts)
    assert [result.pipeline for result in report.results] == ["a", "b"]
    assert report.supplied
    assert all(result.context is None for result in report.results)
    assert "prompt_tokens" not in {s.name for result in report.results for s in result.metrics.scores}
    turned = score({"b": texts["a"], "a": texts["b"]})
    assert turned.result("b").metrics.scores == report.result("a").metrics.scores
    assert turned.result("a").check == report.result("b").check
    for bad, said in (({}, "no draft"), ({"a": " "}, "'a' is empty")):
        with pytest.raises(UsageError, match=said):
            score(bad)
    with pytest.raises(UsageError, match="prompt is empty"):
        score(texts, prompt=" ")


SCENE = "Anna counted the fares. She was afraid."
BODY = "Anna Reed hated Bob Cole. Anna Reed was happy."
ORDER = "Write that Anna goes down to the mill alone at night."


@pytest.mark.parametrize(("text", "said"), values(__file__, "what_anybody_sees_in_a_draft.tsv"))
def test_what_anybody_sees_in_a_draft_is_said(text, said):
    marker = Marker(FakeEmbedder(), scene=SCENE, characters=(), prompt=ORDER, known=BODY)
    written = Written((Draft(Prompt("", "", "v"), Generation(text, "m", 1, 1, 0.0), None),))
    assert marker.result("x", context=None, written=written, seconds=()).notice == said
