from llama_index.core import Settings
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import ResponseMode
from tests.browser.stories import LATER_WORD

from fabula.engine import Project
from fabula.integrations.llama_index import FabulaRetriever


def test_a_query_engine_answers_from_what_was_read(later_project, monkeypatch):
    monkeypatch.setattr(Settings, "_llm", MockLLM())
    with Project.open(later_project) as project:

        def ask(question, **how):
            engine = RetrieverQueryEngine.from_args(
                FabulaRetriever(project, **how), response_mode=ResponseMode.NO_TEXT
            )
            return engine.query(question).source_nodes

        [one] = ask("Who kept the lock?", k=1)
        assert "kept the lock" in one.text and one.metadata == {"chapter": 1} and one.score > 0
        assert project.document.text[one.node.start_char_idx : one.node.end_char_idx] == one.text
        question = "Who is the father of Bela Stone?"
        assert any(LATER_WORD in each.text for each in ask(question, k=9))
        assert not any(LATER_WORD in each.text for each in ask(question, k=9, as_of=2))
