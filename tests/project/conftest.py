import pytest

from fabula.engine import Project


@pytest.fixture(scope="module")
def demo(demo_project):
    """The demo story, open for a module that only reads it."""
    with Project.open(demo_project) as project:
        yield project


@pytest.fixture
def folder(demo_copy):
    """A copy of it, to be written to."""
    return demo_copy.project


@pytest.fixture
def opened(demo_project):
    """The same, for one test that may give it a model."""
    with Project.open(demo_project) as project:
        yield project
