import numpy as np
import pytest
from tests.tables import values

from fabula.core.answering.answer_reader import AnswerRead, ReadSentence
from fabula.core.answering.answered import AnswerSettings, Asked, Written
from fabula.core.rag_system import UnifiedRAG
from fabula.core.signatures.semantic_cache import SemanticCache
from fabula.core.text.tokenizing import Tokenizer
from fabula.core.types import Chunk, Evidence, Horizon, Note, Passage, Span
from fabula.errors import ModelRefused, ModelTransient, UsageError
from fabula.llm.scripted import ScriptedGenerator
from fabula.story.writing.prompts import NOT_TOLD, answer_prompt

TEXT = "Anna ran the ferry. Old Cato drowned in the weir. Bela mended the nets."


class Shelf:
    def __init__(self, *, down=False):
        self.down = down
        self.asked = []

    def passages(self, query, asked, *, lexical):
        self.asked.append((query, lexical))
        if self.down and not lexical:
            raise ModelTransient("no vectors today")
        found, start = [], 0
        for sentence in TEXT.split(". "):
            span = Span(start, start + len(sentence))
            text = span.of(TEXT)
            chunk = Chunk(Chunk.make_id("s", span, text), "s", 1, len(found), span, text)
            found.append(Passage(chunk, 1.0))
            start = span.end + 2
        return found[: asked.k]

    def laid_down(self, question, asked):
        return ()

    def notes(self, question, asked):
        quote = Evidence("s", 1, Span(0, 18), TEXT[0:18])
        return [Note("character", "Anna runs the ferry", (), (quote,)), Note("state", "nobody says so")]

    def people(self, text, asked):
        return [("Old Cato", "m")] if "Cato" in text else []

    def may_answer(self, question, asked):
        return None

    def weights(self, question, asked):
        known = {"anna": 2.0, "ferri": 2.0, "cato": 3.0, "drown": 3.0, "weir": 3.0, "bela": 2.0, "net": 2.0}
        return {term: known[term] for term in Tokenizer().terms(question) if term in known}


def rag(replies=None, *, shelf=None, **options):
    generator = ScriptedGenerator(replies) if replies is not None else None
    made = UnifiedRAG(
        shelf or Shelf(),
        generator=None if generator is None else (lambda: generator),
        prompt=answer_prompt,
        not_told=NOT_TOLD,
        **options,
    )
    return made, generator


def ask(made, question, **more):
    return made.ask(Asked(question, Horizon(3), **more))


def test_a_supported_answer_is_given_with_its_quotes():
    made, generator = rag(["Old Cato drowned in the weir [2]."])
    found = ask(made, "Who drowned?")
    assert found.text == "Old Cato drowned in the weir [2]."
    assert (found.grounded, found.supported, found.told, found.extractive) == (True, 1.0, True, False)
    assert [c.quote for c in found.citations] == ["Old Cato drowned in the weir"]
    assert found.citations[0].span.of(TEXT) == found.citations[0].quote
    assert "[2] (chapter 1) Old Cato drowned" in generator.prompts[0].user
    assert [name for name, _ in found.seconds] == ["retrieve", "context", "generate", "check"]


DROWNED = "Old Cato drowned in the weir"


@pytest.mark.parametrize(
    ("said", "given"),
    [
        (f"{DROWNED}. Napoleon saw it in Paris.", f"{DROWNED}."),
        (f"Napoleon saw it in Paris [1]. {DROWNED}. [2]", f"{DROWNED}. [2]"),
        (f"Yes. {DROWNED} [2].", f"{DROWNED} [2]."),
        (f"{DROWNED}. The capital of Peru is Lima. Bela mended.", f"{DROWNED}. Bela mended."),
    ],
)
def test_only_what_has_support_is_given_and_nothing_else_is_sent(said, given):
    pieces = []
    made, _ = rag([said, said])
    found = made.ask(Asked("Who drowned?", Horizon(3)), on_text=pieces.append)
    assert found.text == given == "".join(pieces)
    assert (found.supported, found.grounded, found.extractive) == (1.0, True, False)
    assert "1 of" in found.notices[0] and "left out" in found.notices[0]
    assert "Peru" not in repr(found) and "Napoleon" not in repr(found)
    assert ask(made, "Who drowned?").text == given


@pytest.mark.parametrize("said", ["The capital of Peru is Lima. It lies by the sea.", "Yes.", "Lima!"])
def test_of_a_made_up_answer_nothing_is_sent(said):
    pieces = []
    made, _ = rag([said])
    found = made.ask(Asked("Who drowned in the weir?", Horizon(3)), on_text=pieces.append)
    assert found.extractive and found.text == "".join(pieces)
    assert "Lima" not in repr(found) and "sentences that the model wrote have no support" in found.notices[0]
    assert found.citations[0].quote == "Old Cato drowned in the weir"


def test_what_follows_a_refusal_is_not_sent():
    pieces = []
    made, _ = rag(["The story so far does not say that, but Lima is in Peru. Old Cato drowned in the weir."])
    found = made.ask(Asked("Who drowned?", Horizon(3)), on_text=pieces.append)
    assert (found.text, found.told) == (NOT_TOLD, False)
    assert "".join(pieces) == NOT_TOLD and "Lima" not in repr(found)


class Breaking(ScriptedGenerator):
    def generate(self, prompt, *, on_text=None, **how):
        for piece in ("Old Cato drowned ", "in the weir [2]", ". Bela ", "mended the"):
            on_text(piece)
        raise ModelTransient("it hung up")


def test_a_model_that_fails_half_way_leaves_what_it_said_with_support():
    pieces = []
    made = UnifiedRAG(Shelf(), generator=lambda: Breaking([]), prompt=answer_prompt, not_told=NOT_TOLD)
    found = made.ask(Asked("Who drowned?", Horizon(3)), on_text=pieces.append)
    assert found.text == "".join(pieces) == "Old Cato drowned in the weir [2]."
    assert "failed before its answer was whole" in found.notices[0]


def test_a_kept_answer_is_checked_as_well():
    cache = SemanticCache(capacity_bytes=10**6)
    made, generator = rag(["Old Cato drowned in the weir. Napoleon saw it in Paris."], cache=cache)
    first, pieces = ask(made, "Who drowned?"), []
    again = made.ask(Asked("who drowned", Horizon(3)), on_text=pieces.append)
    assert again.cached and again.text == first.text == "".join(pieces) == "Old Cato drowned in the weir."
    assert len(generator.prompts) == 1


def test_the_model_may_say_that_the_story_does_not():
    made, _ = rag(["The story so far does not say."])
    found = ask(made, "Who drowned?")
    assert (found.told, found.citations, found.grounded) == (False, (), None)


def test_without_a_model_the_story_answers_in_its_own_words_or_does_not_tell():
    found = ask(rag()[0], "Who drowned in the weir?")
    assert found.text == "“Old Cato drowned in the weir” [2]"
    assert (found.model, found.extractive, found.supported, found.grounded) == ("", True, None, None)
    found = ask(rag()[0], "What is the capital of France?")
    assert (found.text, found.told, found.citations) == (NOT_TOLD, False, ())
    assert found.passages


def test_a_model_that_fails_is_a_notice():
    found = ask(rag([ModelRefused("no key")])[0], "Who drowned?")
    assert found.extractive
    assert "the language model failed: no key" in found.notices[0]


def test_an_embedding_model_that_fails_leaves_a_search_by_words():
    shelf = Shelf(down=True)
    found = ask(rag(["Old Cato drowned in the weir."], shelf=shelf)[0], "Who drowned?")
    assert found.grounded
    assert [lexical for _, lexical in shelf.asked] == [False, True]
    assert "searched by words alone" in found.notices[0]


def test_a_question_that_leans_on_the_one_before_is_searched_for_with_it():
    shelf = Shelf()
    made, generator = rag(["Bela mended the nets.", "He drowned in the weir."], shelf=shelf)
    history = (("What became of Old Cato?", "Cato is [1] gone."),)
    ask(made, "Who mended the nets by the mill?", history=history)
    ask(made, "And where did he drown?", history=history)
    assert [query for query, _ in shelf.asked] == [
        "Who mended the nets by the mill?",
        "And where did Old Cato drown?",
    ]
    assert "Cato is (1) gone." in generator.prompts[1].user


def _vector(text):
    return np.array([1.0, len(text) % 2], dtype=np.float32)


def test_the_same_question_is_answered_once_and_at_another_horizon_anew():
    cache = SemanticCache(capacity_bytes=10**6)
    made, generator = rag(["Old Cato drowned in the weir."] * 2, cache=cache, embed=_vector)
    first = ask(made, "Who drowned?")
    again = ask(made, "who drowned")
    assert (again.cached, again.answers, again.text) == (True, "Who drowned?", first.text)
    assert again.citations == first.citations
    assert len(generator.prompts) == 1
    made.ask(Asked("Who drowned?", Horizon(2)))
    assert len(generator.prompts) == 2


def test_a_conversation_is_never_answered_from_what_is_kept():
    cache = SemanticCache(capacity_bytes=10**6)
    made, generator = rag(["Old Cato drowned in the weir."] * 2, cache=cache)
    ask(made, "Who drowned?")
    assert not ask(made, "Who drowned?", history=(("Hm?", "Hm."),)).cached
    assert len(generator.prompts) == 2


def test_a_wish_to_write_goes_to_the_story_engine():
    def tell(wish, *, horizon, on_text):
        return Written(f"{wish} ({horizon.chapter})", "m", notices=("the critic objects: no",))

    made, generator = rag(["never"], storyteller=tell)
    found = ask(made, "Write the next scene.")
    assert (found.route, found.text, found.grounded) == ("narrative", "Write the next scene. (3)", None)
    assert found.notices == ("the critic objects: no",)
    assert not generator.prompts
    assert ask(made, "Describe how Anna felt about the ferry.").text != "Describe how Anna felt (3)"


def test_an_empty_question_and_a_budget():
    with pytest.raises(UsageError, match="the question is empty"):
        ask(rag()[0], "  ")
    made, generator = rag(["Anna ran the ferry."], settings=AnswerSettings(budget=12, note_share=0.0))
    found = ask(made, "Who ran the ferry?")
    assert [s.number for s in found.sources] == [1]
    assert [one.reason for one in found.left_out] == ["budget"] * 3
    assert "weir" not in generator.prompts[0].user


class Knowing:
    """Reads as it is told to: whole sentences of passages, by how much each shares with the question."""

    def __init__(self, told, *, first=0.6, down=False):
        self.told, self.first, self.down, self.read_texts = told, first, down, []

    def read(self, question, passages, *, may_answer=None):
        self.read_texts.append(tuple(passages))
        if self.down:
            raise ModelRefused("no weights")
        words = set(question.casefold().strip("?").split())
        worth = [len(words & set(text.casefold().split())) for text in passages]
        order = sorted(range(len(passages)), key=lambda i: (-worth[i], i))
        found = [
            ReadSentence(i, Span(0, len(passages[i])), Span(0, passages[i].index(" ")), worth[i] / 10)
            for i in order
        ]
        return AnswerRead(tuple(found), self.told, self.first)


def test_words_above_the_quotes_are_likely_the_answer():
    reader = Knowing(0.8)
    found = ask(rag(reader=reader)[0], "Who drowned in the weir?", k=1)
    assert found.text.startswith("Old [1]\n“Old Cato drowned in the weir” [1]")
    assert (found.short, found.confidence, found.told, found.extractive) == ("Old", 0.6, True, True)
    assert found.citations[0].quote == found.citations[0].span.of(TEXT) == "Old Cato drowned in the weir"
    assert [p.chunk.text for p in found.passages] == ["Old Cato drowned in the weir"]
    assert len(reader.read_texts[0]) == 3  # read further than is shown
    found = ask(rag(reader=Knowing(0.8, first=0.4))[0], "Who drowned in the weir?", k=1)
    assert found.text == "“Old Cato drowned in the weir” [1]"
    assert (found.short, found.confidence, found.told, found.extractive) == ("", 0.8, True, True)


def test_where_the_reader_is_not_sure_the_story_does_not_say():
    found = ask(rag(reader=Knowing(0.25))[0], "Who drowned in the weir?")
    assert (found.text, found.told, found.citations, found.short) == (NOT_TOLD, False, (), "")
    assert found.confidence == 0.25 and found.passages
    sure = AnswerSettings(least_confidence=0.2)
    assert ask(rag(reader=Knowing(0.25), settings=sure)[0], "Who drowned in the weir?").told


def test_a_model_gets_what_the_reader_puts_first_and_without_it_what_words_choose():
    made, generator = rag(["Bela mended the nets [1]."], reader=Knowing(0.9))
    assert ask(made, "who mended the nets").text == "Bela mended the nets [1]."
    assert "[1] (chapter 1) Bela mended the nets" in generator.prompts[0].user
    found = ask(rag(reader=Knowing(0.9, down=True))[0], "Who drowned in the weir?")
    assert found.text == "“Old Cato drowned in the weir” [2]"
    assert "chosen by words alone: no weights" in found.notices[0]
    assert found.confidence is None


class Narrow(Shelf):
    """Finds one passage: the first that shares a word with what is looked for."""

    def passages(self, query, asked, *, lexical):
        words = set(query.casefold().strip("?").split())
        everything = super().passages(query, Asked(query, asked.horizon, k=9), lexical=lexical)
        return [p for p in everything if words & set(p.chunk.text.casefold().split())][:1]


LOOKING = "search: weir\n- search: mended nets\nsearch: weir\n"


def test_a_model_may_look_for_other_passages_once():
    shelf, pieces = Narrow(), []
    made, generator = rag([LOOKING, "Old Cato drowned in the weir [2]."], shelf=shelf)
    found = made.ask(Asked("Who ran the ferry?", Horizon(3)), on_text=pieces.append)
    assert [query for query, _ in shelf.asked] == ["Who ran the ferry?", "weir", "mended nets"]
    assert found.text == "".join(pieces) == "Old Cato drowned in the weir [2]."
    assert found.citations[0].quote == "Old Cato drowned in the weir"
    assert [("`search:`" in prompt.system) for prompt in generator.prompts] == [True, False]
    assert "Cato" not in generator.prompts[0].user and "mended" in generator.prompts[1].user


def test_a_model_that_looks_again_and_again_was_not_told():
    made, generator = rag([LOOKING, "search: something else"], shelf=Narrow())
    found = ask(made, "Who ran the ferry?")
    assert (found.text, found.told, found.citations) == (NOT_TOLD, False, ())
    assert len(generator.prompts) == 2
    patient = AnswerSettings(searches=2)
    made, generator = rag(
        ["search: nets", LOOKING, "Bela mended the nets."], shelf=Narrow(), settings=patient
    )
    assert ask(made, "Who ran the ferry?").text == "Bela mended the nets."
    never = AnswerSettings(searches=0)
    made, generator = rag([LOOKING], shelf=Narrow(), settings=never)
    assert not ask(made, "Who ran the ferry?").told
    assert "`search:`" not in generator.prompts[0].system


def test_what_the_model_looked_for_is_kept_and_found_by_words_alone():
    cache = SemanticCache(capacity_bytes=10**6)
    made, generator = rag([LOOKING, "Old Cato drowned in the weir."], shelf=Narrow(), cache=cache)
    first = ask(made, "Who ran the ferry?")
    again = ask(made, "who ran the ferry")
    assert (again.cached, again.text, again.citations) == (True, first.text, first.citations)
    assert len(generator.prompts) == 2
    made, _ = rag([LOOKING, "Old Cato drowned in the weir."], shelf=Narrow(down=True))
    assert ask(made, "Who ran the ferry?").text == "Old Cato drowned in the weir."


@pytest.mark.parametrize(
    ("reads", "budget", "tokens"),
    [(None, 0, 900), (2000, 0, 900), (6000, 0, 2000), (10**6, 0, 6000), (10**6, 50, 50), (None, 70, 70)],
)
def test_sources_take_a_third_of_what_the_model_reads(reads, budget, tokens):
    assert AnswerSettings(budget=budget).budget_of(reads) == tokens


@pytest.mark.parametrize(
    ("question", "told", "unknown"),
    values(__file__, "what_the_story_never_names_it.tsv"),
)
def test_what_the_story_never_names_it_does_not_tell_of(question, told, unknown):
    found = ask(rag(reader=Knowing(0.9))[0], question)
    assert found.told is told
    assert found.notices == ((f"the story so far does not speak of {unknown}",) if unknown else ())
    assert told or (found.text, found.citations) == (NOT_TOLD, ())
