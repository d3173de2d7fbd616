import json

import pytest
from tests.scripted import ScriptedGenerator

from fabula.core.documents import document_from_text
from fabula.core.types import Horizon
from fabula.project.indexing import link
from fabula.story.extraction.by_model.reader import ModelReader
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph

TEXT = (
    "# Chapter 1\n\nAnn Dale came in. Bea Holt sat down. Nell laughed.\n\n"
    "# Chapter 2\n\nAnn Dale rose again. Bea Holt stayed. Nell went home.\n"
)


def who_is_nell(*cast):
    """Of each chapter: whom the model lists with the name Nell."""
    document = document_from_text(TEXT, id="x", title="x")
    readings = []
    for chapter, owners in zip(document.chapters, cast, strict=True):
        body = chapter.body.of(TEXT)
        quotes = {"Ann Dale": body.split(". ")[0], "Bea Holt": body.split(". ")[1]}
        listed = [
            {"quote": quote, "name": name, "also": ["Nell"] if name in owners else [], "kind": "person"}
            for name, quote in quotes.items()
        ]
        answer = json.dumps({"named": listed})
        readings.append(ModelReader(ScriptedGenerator([answer], context_tokens=20_000)).read(body))
    view = StoryKnowledgeGraph.from_log(link(document, readings).log).as_of(Horizon())
    nells = [view.name(one.entity) for one in view.log.mentions if one.surface == "Nell"]
    return {one.name for one in view.entities()}, nells


@pytest.mark.parametrize("owners", [["Bea Holt"], ["Ann Dale", "Bea Holt"]])
def test_whom_a_model_lists_as_two_stay_two(owners):
    assert who_is_nell(owners, owners)[0] == {"Ann Dale", "Bea Holt"}


def test_a_name_goes_over_to_whom_the_model_gives_it():
    assert who_is_nell(["Ann Dale"], ["Bea Holt"]) == ({"Ann Dale", "Bea Holt"}, ["Ann Dale", "Bea Holt"])
