import json
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from fabula.engine import Project
from fabula.project.keeping.backup import back_up, restore

PUBLISHED = 30
READERS = 3
BACKUPS = 2  # at least; a slow machine is published over until they are made
BOOKS = (
    "# One\n\nWilf hated Len. Len sent Ada a letter.\n\n# Two\n\nAda met Wilf in the old mill. Wilf wept.\n",
    "# One\n\nWilf and Ada walked by the old mill, and neither of them spoke a word of Len.\n",
)
_WRITER = """
    import shutil, sys, time
    from pathlib import Path
    from fabula.core.lexical.bm25 import BM25Settings
    from fabula.core.store.generations import Publication
    from fabula.core.store.sqlite import ProjectStore
    place = Path(sys.argv[1])
    sys.stdin.readline()
    states = [ProjectStore.open(place / name).snapshot() for name in "ab"]
    with ProjectStore.open(place / "p") as store:
        number = 0
        while number < int(sys.argv[2]) or not ((place / "enough").exists() or (place / "stop").exists()):
            state = states[number % 2]
            index = state.index
            def fill(folder):
                for file in index.files().iterdir():
                    if file.name != "manifest.json":
                        shutil.copy(file, folder / file.name)
            book, lexical = state.document, index.lexical(BM25Settings())
            made = book, index.chunks(book), lexical, index.vectors()
            with store.lock():
                store.publish(Publication(*made, fill, meta=state.meta))
            print(number, flush=True)
            number += 1
"""
_READER = """
    import json, sys
    from pathlib import Path
    from fabula.engine import Project
    place, seen, opened = Path(sys.argv[1]), set(), 0
    print("ready", flush=True)
    while not (place / "stop").exists():
        with Project.open(place / "p") as project:
            found = project.search("the old mill", mode="lexical").passages[0].chunk
            seen.add((project.document.text, project.config.chunking.size, len(project.chunks), found.text,
                      len(project.graph.log.mentions)))
            opened += 1
    print(json.dumps([opened, sorted(seen)]))
"""


def _started(code, *arguments):
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _as_read(folder):
    with Project.open(folder) as project:
        found = project.search("the old mill", mode="lexical").passages[0].chunk
        size, mentions = project.config.chunking.size, len(project.graph.log.mentions)
        return [project.document.text, size, len(project.chunks), found.text, mentions]


@pytest.fixture(scope="module")
def place(done, tmp_path_factory):
    """Two projects of the same book, told and cut otherwise, and a third that is to be either."""
    place = tmp_path_factory.mktemp("readers")
    for name, book, size in zip("ab", BOOKS, (50, 540), strict=True):
        (place / "tale.md").write_text(book)
        options = ("--set", f"chunking.size={size}", "--set", "chunking.overlap=0")
        done("index", place / "tale.md", "-o", place / name, *options)
    shutil.copytree(place / "a", place / "p")
    return place


@pytest.mark.slow
def test_readers_and_backups_see_one_publication_or_the_other(place):
    states = [_as_read(place / name) for name in "ab"]
    assert states[0] != states[1]
    backups = []
    with _started(_WRITER, place, PUBLISHED) as writer:
        readers = [_started(_READER, place) for _ in range(READERS)]
        for reader in readers:
            assert reader.stdout.readline() == "ready\n"
        writer.stdin.write("go\n")
        writer.stdin.flush()
        try:
            while writer.poll() is None:
                backups.append(Path(place / f"{len(backups)}.backup"))
                back_up(place / "p", backups[-1])
                if len(backups) == BACKUPS:
                    (place / "enough").touch()
            published = [int(number) for number in writer.stdout.read().split()]
            assert published == list(range(len(published))) and len(published) >= PUBLISHED
        finally:
            (place / "stop").touch()
    for reader in readers:
        with reader:
            opened, seen = json.loads(reader.stdout.readline())
        assert reader.returncode == 0
        assert opened > 3
        assert all(state in states for state in seen)
    assert len(backups) >= BACKUPS
    for number, file in enumerate(backups):
        assert restore(file, place / f"restored-{number}").now.is_clean
        assert _as_read(place / f"restored-{number}") in states
