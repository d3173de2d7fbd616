"""A three-chapter story and small stand-ins for the parts that a comparison is given."""

import hashlib
import re
import time

import numpy as np
from tests.scripted import ScriptedGenerator

from fabula.core.documents import document_from_text
from fabula.core.types import Chunk, Evidence, Passage, Share, Span
from fabula.errors import ModelRefused
from fabula.story.comparison.engine import StoryComparisonEngine
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.model import types as model
from fabula.story.model.findings import CheckReport, Severity, Violation
from fabula.story.writing.context_maker import ContextMaker

BODIES = (
    "Anna ran the ferry. Bela mended nets at the mill. Anna did not trust Bela.",
    "Old Cato drowned in the weir. Bela wept. Dora came from the hill town.\n\n***\n\n"
    "The ferry bell rang twice. Anna counted the fares. She was afraid.",
    "Years later Dora told the truth. SECRET-LATER was the name of the boat.",
)


NAMES = ("Anna", "Ann", "Bela", "Cato", "Dora", "mill")


def make_document(bodies=BODIES):
    text = "\n\n".join(f"Chapter {number}\n\n{body}" for number, body in enumerate(bodies, start=1))
    return document_from_text(text, id="story", title="The Ferry")


def quote(document, words):
    start = document.text.index(words)
    chapter = next(c.number for c in document.chapters if c.body.start <= start < c.body.end)
    return Evidence.of(document, chapter, Span(start, start + len(words)))


def passage(document, words, *, score=1.0, ordinal=0):
    found = quote(document, words)
    id = Chunk.make_id(document.id, found.span, words)
    chunk = Chunk(id, document.id, found.chapter, ordinal, found.span, words)
    return Passage(chunk, score, (Share("lexical", 1, score, score),))


def relation(document, subject, predicate, other, words, *, told=None):
    found = quote(document, words)
    told = told or found.chapter
    return model.Relation(subject, predicate, other, model.Interval(told), told, (found,))


def make_graph(document, extra_relations=()):
    """What is read of the story: who is named where, how they stand, who dies, feels and wants."""
    mentions = []
    named = [(name, m) for name in NAMES for m in re.finditer(name, document.text)]
    for name, found in named:
        span = Span(*found.span())
        chapter = next((one.number for one in document.chapters if one.body.contains(span)), 1)
        kind = model.EntityKind.LOCATION if name == "mill" else model.EntityKind.CHARACTER
        who = "anna" if name == "Ann" else name.lower()
        mentions.append(model.EntityMention(who, kind, name, chapter, Evidence.of(document, chapter, span)))
    died = quote(document, "Old Cato drowned in the weir.")
    states = [
        model.StateTold(who, aspect, value, 2, quote(document, words), valence)
        for who, words in (("anna", "She was afraid."), ("bela", "Bela wept."))
        for aspect, value, valence in (("emotion", "fear", -0.5), ("goal", "count the fares", 1.0))
    ]
    relations = (
        relation(document, "anna", "DISTRUSTS", "bela", "Anna did not trust Bela."),
        relation(document, "bela", "LOCATED_AT", "mill", "Bela mended nets at the mill."),
        relation(document, "dora", "FRIEND_OF", "anna", "Dora came from the hill town."),
        relation(document, "dora", "FRIEND_OF", "bela", "Dora came from the hill town."),
    )
    death = model.EventTold(
        "e1", "DIES", (("agent", "cato"),), 2, model.Interval(2, model.Open.UNBOUNDED), (died,)
    )
    told = {"relations": (*relations, *extra_relations), "events": (death,), "states": tuple(states)}
    log = model.StoryLog(mentions=tuple(sorted(mentions, key=lambda one: one.told)), **told)
    return StoryKnowledgeGraph.from_log(log)


class FakeRetriever:
    def __init__(self, document, error=None):
        self.document = document
        self.error = error
        self.asked = []

    def search(self, query, k, *, horizon):
        self.asked.append((query, k, horizon))
        if self.error:
            raise self.error
        lines = ("Bela mended nets at the mill.", "The ferry bell rang twice.", "Dora told the truth.")
        found = [passage(self.document, line, score=1 / n, ordinal=n) for n, line in enumerate(lines, 1)]
        return [p for p in found if horizon.admits(p.chunk.chapter)][:k]


class FakeEmbedder:
    """Hashed bags of words, rows of length 1."""

    name = "bags"
    dimension = 16

    def __init__(self, error=None):
        self.error = error

    def embed_documents(self, texts):
        if self.error:
            raise self.error
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w+", text.lower()):
                row[hashlib.sha256(word.encode()).digest()[0] % self.dimension] += 1
            row[0] += 0.01
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def embed_query(self, text):
        return self.embed_documents([text])[0]


class FakeGenerator(ScriptedGenerator):
    """A token is a word. ``most``: how many calls there were at once."""

    name = "scripted-1"

    def __init__(self, reply, **given):
        super().__init__(reply, **given)
        self.running = self.most = 0

    def count_tokens(self, text):
        return len(text.split())

    def generate(self, prompt, **how):
        with self._lock:
            self.running += 1
            self.most = max(self.most, self.running)
        try:
            return super().generate(prompt, **how)
        finally:
            with self._lock:
                self.running -= 1


class FakeChecker:
    """A critic that objects to each "Cato said": the dead do not speak."""

    def __init__(self, document, error=None):
        self.document = document
        self.error = error
        self.seen = []

    def check(self, text):
        self.seen.append(text)
        if self.error:
            raise self.error
        earlier, words = quote(self.document, "Old Cato drowned in the weir."), len(text.split())
        told = ("resurrection", Severity.ERROR, "Cato speaks, but he is dead.", ("cato",))
        later = [Evidence("draft", 3, Span(*m.span()), m[0]) for m in re.finditer("Cato said", text)]
        found = tuple(Violation(*told, (earlier, one), suggestion="Let someone else speak.") for one in later)
        return CheckReport(found, max(1, words // 5), max(1, words // 10), words)


def route(prompt):
    """Which pipeline a prompt comes from, as its sections give away; for scripting texts only."""
    if "[Findings]" in prompt.user:
        return "revision"
    has_passages = "[Passage ch." in prompt.user
    has_notes = "[Constraints]" in prompt.user
    return "fused" if has_passages and has_notes else "standard" if has_passages else "graph"


TEXTS = {
    "standard": "Anna tied up the ferry. Cato said good night to her. Bela laughed.",
    "graph": "Anna kept away from Bela. The bell rang. Nobody came.",
    "fused": "Cato said that Anna should wait. Cato said it twice. Bela shrugged.",
    "revision": "Bela said that Anna should wait. Bela said it twice. Anna shrugged.",
}


def make_engine(*, texts=None, generator=None, document=None, clock=time.perf_counter, **changes):
    document = document or make_document()
    scripted = texts or TEXTS
    generator = generator or FakeGenerator(lambda prompt: scripted[route(prompt)])
    contexts = ContextMaker(
        document,
        retriever=changes.pop("retriever", None) or FakeRetriever(document),
        graph=make_graph(document),
        count=generator.count_tokens,
        clock=clock,
    )
    parts = {"checker": lambda horizon: FakeChecker(document), "embedder": FakeEmbedder()}
    return StoryComparisonEngine(contexts, generator=generator, clock=clock, **{**parts, **changes})


def refused(message="the model said no"):
    return ModelRefused(message)
