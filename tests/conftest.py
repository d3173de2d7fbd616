"""What holds for every test: no network but this machine's own, and no model that was not asked for.

A test that loads the local language model carries ``@pytest.mark.local_model``; any other that comes to
load it fails, and so does every test that opens a connection to another machine or asks for its name.
"""

from __future__ import annotations

import ipaddress
import shutil
import socket
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.register_assert_rewrite("tests.contracts")

LOCAL_MODEL = "local_model"
_running = {LOCAL_MODEL: False}


def pytest_configure(config):
    config.addinivalue_line("markers", f"{LOCAL_MODEL}: loads the packaged language model")


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
def own_settings(tmp_path_factory):
    """Whoever runs the tests has no settings and has confirmed nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("own-settings")))
        yield


@pytest.fixture(scope="session")
def demo_project(tmp_path_factory):
    """The demo story, indexed once with the real models; read it, do not write to it."""
    from fabula.demo import save_story
    from fabula.engine import index_book

    place = tmp_path_factory.mktemp("demo")
    index_book(save_story(place), place / "project")
    return place / "project"


@dataclass(frozen=True)
class DemoCopy:
    """A book and its project, to be written to."""

    book: Path
    project: Path


@pytest.fixture
def demo_copy(demo_project, tmp_path):
    from fabula.demo import save_story

    shutil.copytree(demo_project, tmp_path / "copy")
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
