"""The app without a browser: one page at a time, over a library of its own."""

import threading

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from tests.copies import copy_unasked
from tests.stories.answering import answering

from fabula.core.runtime.memory_monitor import MemoryMonitor
from fabula.errors import ModelMissing
from fabula.library.library import DEMO, Library
from fabula.library.shelf import Shelf
from fabula.ui.frame import Frame
from fabula.ui.starting import SCRIPT

TIMEOUT = 300  # seconds; a model on a busy machine takes most of it
EVIL = "<script>bad()</script> ![x](http://evil.invalid/x.png)"
DRAFTS = (
    f"Ambrose Keating loved Barnaby Pellow. {EVIL}",
    "The lamp burned low on the footplate.",
    "Harriet trusted Len. He told her of the day, hour by hour.",
)


class Opened:
    """A page of the app as its reader sees it."""

    def __init__(self, key="library", **address):
        from streamlit.runtime.scriptrunner_utils import script_run_context  # noqa: F401
        from streamlit.util import calc_hash

        self.test = AppTest.from_file(str(SCRIPT), default_timeout=TIMEOUT)
        self._hash = calc_hash
        for name, value in address.items():
            self.test.query_params[name] = str(value)
        self.turn_to(key)

    def turn_to(self, key):
        self.test._page_hash = "" if key == "library" else self._hash(key)
        self.test.run()
        return self

    def run(self):
        self.test.run()
        return self

    @property
    def words(self):
        assert not self.test.exception
        return "\n".join(element.value for element in self.test.get("html"))

    @property
    def buttons(self):
        return [one.label for one in self.test.button]

    @property
    def alerts(self):
        return [one.value for one in self.test.get("html") if 'class="f-alert"' in one.value]

    @property
    def spoken(self):
        """All that goes by way of Streamlit's Markdown."""
        kinds = ("markdown", "caption", "error", "warning", "info", "success")
        return [one.value for kind in kinds for one in self.test.get(kind)]

    def one(self, kind, label):
        [found] = [each for each in getattr(self.test, kind) if each.label == label]
        return found

    def press(self, label):
        self.one("button", label).click().run()
        if at_work := [one for one in threading.enumerate() if one.name == "work"]:
            at_work[0].join()
            self.run()
        return self

    def fill(self, label, text):
        [field] = [one for one in (*self.test.text_input, *self.test.text_area) if one.label == label]
        field.set_value(text)
        return self

    def read_up_to(self, chapter):
        self.horizon.set_value(chapter).run()
        return self

    @property
    def horizon(self):
        return self.one("slider", "You have read up to chapter")


@pytest.fixture
def open_page():
    return Opened


@pytest.fixture
def home(tmp_path, monkeypatch):
    place = tmp_path / "home"
    monkeypatch.setenv("FABULA_HOME", str(place))
    yield place
    st.cache_resource.clear()  # closes the shelf


@pytest.fixture
def with_demo(home, demo_project):
    copy_unasked(demo_project, home / DEMO)
    return home


@pytest.fixture
def frame(with_demo):
    """What a page about the demo story is given, read up to chapter 9."""
    library, shelf = Library(with_demo), Shelf(MemoryMonitor(budget=1 << 40))
    [entry] = library.entries()
    yield Frame(library, shelf, entry, 9)
    shelf.close()


@pytest.fixture
def says(monkeypatch):
    """The language model, each time it is made, says this, in this order."""

    def script(*replies):
        monkeypatch.setattr("fabula.llm.factory.make_generator", lambda _: answering(*replies))

    return script


@pytest.fixture
def scripted(says):
    says(*[*DRAFTS, DRAFTS[2]] * 3)


@pytest.fixture
def no_model(monkeypatch):
    def missing(settings):
        raise ModelMissing(f"the model is not installed: pip install it {EVIL}")

    monkeypatch.setattr("fabula.llm.factory.make_generator", missing)


@pytest.fixture
def own_model(tmp_path, monkeypatch):
    """Writes the settings of a user who has connected a model."""

    def connect(more=""):
        (tmp_path / "own/fabula").mkdir(parents=True)
        told = f'[generator]\nprovider = "openai"\nmodel = "m"\n{more}'
        (tmp_path / "own/fabula/fabula.toml").write_text(told)
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))

    return connect
