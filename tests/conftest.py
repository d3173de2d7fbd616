"""What holds for every test: no network but this machine's own, and no model that was not asked for.

A test that loads the local language model carries ``@pytest.mark.local_model``; any other that comes to
load it fails, and so does every test that opens a connection to another machine or asks for its name.
"""

from __future__ import annotations

import ipaddress
import os
import shutil
import socket
import sqlite3
import sys
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import hypothesis
import pytest
from filelock import FileLock

pytest.register_assert_rewrite("tests.contracts", "tests.stories")

# No deadline: on a busy machine it is the machine that fails.
hypothesis.settings.register_profile("quick", max_examples=30, deadline=None)
hypothesis.settings.register_profile("thorough", max_examples=200, deadline=None)
hypothesis.settings.load_profile("quick")

LOCAL_MODEL = "local_model"
_running = {LOCAL_MODEL: False}


def pytest_configure(config):
    config.addinivalue_line("markers", f"{LOCAL_MODEL}: loads the packaged language model")


def pytest_collection_modifyitems(items):
    """Of the files that need the demo story one comes first and the others last: while one worker makes it,
    the other has something else to do. Files with slow tests come before those without, so that no worker
    begins one when all else is done."""
    needy = dict.fromkeys(item.path for item in items if "demo_project" in getattr(item, "fixturenames", ()))
    first = next(iter(needy), None)
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(
        key=lambda item: (0 if item.path == first else 2 if item.path in needy else 1, item.path not in slow)
    )


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    # A hook rather than a fixture: it comes before fixtures of any scope, which may load the model.
    _running[LOCAL_MODEL] = item.get_closest_marker(LOCAL_MODEL) is not None


@pytest.fixture(scope="session", autouse=True)
def forbid_network():
    """Connections and name look-ups beyond this machine fail the test, whatever it catches."""
    with pytest.MonkeyPatch.context() as patch:
        for method in ("connect", "connect_ex", "sendto"):
            patch.setattr(socket.socket, method, _guarded(getattr(socket.socket, method)))
        lookup = socket.getaddrinfo

        def guarded_lookup(host, *args, **kwargs):
            _refuse_others(host)
            return lookup(host, *args, **kwargs)

        patch.setattr(socket, "getaddrinfo", guarded_lookup)
        yield


@pytest.fixture(scope="session", autouse=True)
def forbid_real_models():
    """Loading the local model fails every test without the marker."""
    from fabula.llm.llama_server import LlamaServer

    load = LlamaServer.__init__

    def guarded_load(self, *args, **kwargs):
        if not _running[LOCAL_MODEL]:
            pytest.fail(f"this test loads a real language model: mark it with {LOCAL_MODEL}")
        load(self, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LlamaServer, "__init__", guarded_load)
        yield


@pytest.fixture(scope="session", autouse=True)
def parsers_loaded_once():
    """Whatever opens a project or runs a command would load the parser again, a second each time."""
    from fabula.story.extraction.reader import StoryReader

    load, loaded = StoryReader.load, {}

    def load_once(self):
        if self._nlp is None:
            if self._model not in loaded:
                load(self)
                loaded[self._model] = self._nlp
            self._nlp = loaded[self._model]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StoryReader, "load", load_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def encoders_made_once():
    """Each project would pack the encoder of its questions anew, and read the same passages for the same
    question again: half a second for each question that is asked."""
    from fabula.core.encoders.adapters import QuestionEmbedder
    from fabula.core.encoders.bert_compiled import CompiledQueryEncoder

    make, states = QuestionEmbedder._encoder.func, CompiledQueryEncoder.states
    made = {}

    def made_once(self):
        if self._file not in made:
            made[self._file] = make(self)
        return made[self._file]

    @lru_cache(maxsize=500)
    def kept(encoder, ids, second):
        return states(encoder, ids, second=second)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(QuestionEmbedder, "_encoder", property(made_once))
        patch.setattr(
            CompiledQueryEncoder, "states", lambda self, ids, *, second: kept(self, tuple(ids), second)
        )
        yield


@pytest.fixture(scope="session", autouse=True)
def sentences_embedded_once():
    """Whoever compares the sentences of a story with each other would embed all of them again, some seconds
    each time. Indexing is not touched: it embeds by another way."""
    from fabula.core.embeddings import EmbeddingManager
    from fabula.project.parts import OpenProject

    make, kept = OpenProject.sentence_embedder.func, {}

    class Remembering:
        def __init__(self, embedder):
            self._embedder = embedder

        def __getattr__(self, name):
            return getattr(self._embedder, name)

        def embed_documents(self, texts):
            key = self._embedder.version, tuple(texts)
            if key not in kept:
                kept[key] = self._embedder.embed_documents(texts)
            return kept[key].copy()

    def made(project):
        embedder = make(project)
        local = isinstance(embedder, EmbeddingManager) and not embedder._withheld
        return Remembering(embedder) if local else embedder

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OpenProject, "sentence_embedder", found := cached_property(made))
        found.__set_name__(OpenProject, "sentence_embedder")
        yield


@pytest.fixture(scope="session", autouse=True)
def own_settings(tmp_path_factory):
    """Whoever runs the tests has no settings and has confirmed nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("own-settings")))
        yield


@pytest.fixture(scope="session")
def postgres_server():
    """A PostgreSQL server of this session's own, with pgvector."""
    from tests.postgres_server import start_server

    server = start_server()
    yield server
    server.stop()
    server.remove()


@pytest.fixture
def database(postgres_server):
    """The address of an empty database."""
    return postgres_server.new_database()


@pytest.fixture(scope="session")
def made_once(tmp_path_factory):
    """Makes a folder once for all workers; gives this worker's own copy of it."""
    here = tmp_path_factory.getbasetemp()
    shared = here.parent if "PYTEST_XDIST_WORKER" in os.environ else here

    def made(name, make):
        whole = shared / f"made-{name}"
        with FileLock(f"{whole}.lock"):
            if not whole.is_dir():
                make(begun := tmp_path_factory.mktemp(name))
                begun.rename(whole)
        return shutil.copytree(whole, tmp_path_factory.mktemp("copy") / name)

    return made


@pytest.fixture(scope="session")
def demo_project(made_once):
    """The demo story, indexed once with the real models; read it, do not write to it."""
    from fabula.demo import save_story
    from fabula.engine import index_book

    def make(place):
        index_book(save_story(place), place / "project")

    return made_once("demo", make) / "project"


@pytest.fixture(scope="session")
def index_like_demo(demo_project):
    """Indexes a book into a new project. What was made of the demo story's chapters, each by itself, is there
    already: only chapters with another text are embedded and read; all else is made anew."""
    from fabula.core.store.sqlite import ProjectStore
    from fabula.engine import index_book

    def index(book, folder, **how):
        ProjectStore.create(folder).close()
        with closing(sqlite3.connect(folder / "fabula.db")) as db:
            db.execute("ATTACH ? AS demo", (str(demo_project / "fabula.db"),))
            db.execute("INSERT INTO work SELECT * FROM demo.work")
            db.commit()
        return index_book(book, folder, **how)

    return index


@pytest.fixture(scope="session")
def story_told_otherwise(made_once, index_like_demo):
    """A project of the demo story of which all that is told after chapter 8 is another."""
    from tests.stories.told_later import rewritten

    from fabula.demo import save_story, story_text

    def make(place):
        book = save_story(place)
        book.write_text(rewritten(story_text(), 8), encoding="utf-8", newline="")
        index_like_demo(book, place / "project")

    return made_once("otherwise", make) / "project"


@pytest.fixture(scope="session")
def reader():
    """Reads chapters as a project of the standard settings does; loaded once, it keeps what it has parsed."""
    from tests.stories.reading import READER

    return READER


@dataclass(frozen=True)
class DemoCopy:
    """A book and its project, to be written to."""

    book: Path
    project: Path


@pytest.fixture
def demo_copy(demo_project, tmp_path):
    from tests.copies import copy_unasked

    from fabula.demo import save_story

    copy_unasked(demo_project, tmp_path / "copy")
    return DemoCopy(save_story(tmp_path), tmp_path / "copy")


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="session")
def run_cli():
    """Runs the console command in this process: its exit code, stdout and stderr."""
    from contextlib import redirect_stderr, redirect_stdout
    from io import StringIO

    from fabula.cli.commands import main

    def run(*arguments):
        out, err = StringIO(), StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.setattr(sys, "argv", ["fabula", *map(str, arguments)])
            try:
                main()
                code = 0
            except SystemExit as end:
                code = end.code or 0
        return Ran(code, out.getvalue(), err.getvalue())

    return run


def _guarded(method):
    def call(self, *args):
        address = args[-1]
        if self.family in (socket.AF_INET, socket.AF_INET6):
            _refuse_others(address[0])
        return method(self, *args)

    return call


def _refuse_others(host):
    name = host.decode() if isinstance(host, bytes) else str(host or "")
    if not _is_this_machine(name):
        pytest.fail(f"this test opens a connection to {name}: tests run without a network")


def _is_this_machine(host):
    if host in ("", "localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
