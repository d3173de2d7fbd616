import pytest

from fabula.engine import Project, index_book


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


@pytest.fixture
def own_home(tmp_path, monkeypatch):
    """The user's own settings, empty before the test."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    return tmp_path / "own" / "fabula"


@pytest.fixture(scope="session")
def indexed_once(made_once):
    """A folder of one's own with a book and its project, which is made once."""

    def made(name, text):
        def make(place):
            (place / name).write_text(text, encoding="utf-8")
            index_book(place / name, place / "project")

        return made_once(name, make)

    return made


@pytest.fixture(scope="session")
def done(run_cli):
    """What a command says that has to succeed."""

    def said(*command):
        ran = run_cli(*command)
        assert ran.code == 0, ran
        return ran.out

    return said


@pytest.fixture(scope="session")
def refusal(run_cli):
    """The one line with which the console command refuses."""

    def refused(*command):
        ran = run_cli(*command)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran
        return ran.err

    return refused
