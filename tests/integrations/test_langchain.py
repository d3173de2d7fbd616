import pytest
from langchain_core.output_parsers import StrOutputParser
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from langchain_tests.integration_tests import RetrieversIntegrationTests
from tests.browser.stories import LATER_WORD

from fabula.engine import Project
from fabula.integrations.langchain import FabulaRetriever


@pytest.fixture(scope="module")
def opened(later_project):
    with Project.open(later_project) as project:
        yield project


class TestFabulaRetriever(RetrieversIntegrationTests):
    """LangChain's own suite for retrievers."""

    @pytest.fixture(autouse=True)
    def _project(self, opened):
        type(self).opened = opened

    @property
    def retriever_constructor(self):
        return FabulaRetriever

    @property
    def retriever_constructor_params(self):
        return {"project": self.opened}

    @property
    def retriever_query_example(self):
        return "Anna Weir"


def test_a_chain_answers_from_what_was_read(opened):
    def chain(**how):
        retriever = FabulaRetriever(project=opened, **how)
        joined = RunnableLambda(lambda given: "\n".join(one.page_content for one in given["found"]))
        return {"found": retriever, "asked": RunnablePassthrough()} | joined | StrOutputParser()

    assert "kept the lock" in chain(k=1).invoke("Who kept the lock?")
    question = "Who is the father of Bela Stone?"
    assert LATER_WORD in chain(k=9).invoke(question) and LATER_WORD not in chain(k=9, as_of=2).invoke(
        question
    )
    [found] = FabulaRetriever(project=opened, k=1).invoke("Who kept the lock?")
    text = opened.document.text[found.metadata["start"] : found.metadata["end"]]
    assert text == found.page_content and found.metadata["chapter"] == 1
