"""Reads hostile inputs, each in a process that is made for it and ended by limits of its own.

``python -m tests.stories.limited_reading SECONDS MEGABYTES`` loads the models once, and takes a line of JSON
for each input: ``kind``, ``file`` and ``folder``. It answers with a line: ``code`` (0 read, 2 refused in one
line, else broken or killed), ``seconds`` of the processor, ``peak_mb`` and ``said``. A book goes all the way
of ``fabula index`` but for the computing of its vectors, which costs the same for every word.
"""

import json
import os
import resource
import signal
import sys
import time
from pathlib import Path

import numpy as np

from fabula.config import read_settings
from fabula.core.embeddings import EmbeddingManager
from fabula.errors import FabulaError
from fabula.project.creating import index_book
from fabula.story.codex.file import CodexFile
from fabula.story.extraction.reader import StoryReader

READER = StoryReader()


class NoVectors(EmbeddingManager):
    """All texts lie at one place."""

    @property
    def version(self):
        return "none"

    def load(self):
        return

    def embed_units(self, units, **_):
        for texts in units:
            vectors = np.zeros((len(texts), self.dimension), np.float32)
            vectors[:, 0] = 1
            yield vectors


def _read(kind, file, folder):
    if kind == "index":
        report = index_book(file, folder / "project", reader=READER, embedder=NoVectors())
        return f"{report.chapters} chapters, {report.words} words"
    if kind == "codex":
        return f"{len(CodexFile.parse(file.read_text(encoding='utf-8')).characters)} characters"
    return f"{len(read_settings(file))} sections"


def _child(order, seconds, megabytes, out):
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_DATA, (megabytes * 1024**2,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.alarm(10 * seconds)  # by the clock: this machine may be busy
    code = 1
    try:
        said, code = _read(order["kind"], Path(order["file"]), Path(order["folder"])), 0
    except FabulaError as error:
        said, code = str(error), 2 if "\n" not in str(error) else 1
    except BaseException as error:  # noqa: BLE001 (whatever it is, it is told)
        said = f"{type(error).__name__}: {error}"[:500]
    os.write(out, said.encode("utf-8", "replace")[:2_000])
    os._exit(code)


def _answer(answer):
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def main(seconds, megabytes):
    """Answers until its stdin ends."""
    READER.load()
    READER.read("Anna rowed home.")
    _answer({"ready": True})
    for line in sys.stdin:
        read, write = os.pipe()
        started = time.monotonic()
        pid = os.fork()
        if not pid:
            _child(json.loads(line), seconds, megabytes, write)
        os.close(write)
        with os.fdopen(read, "rb") as told:
            said = told.read().decode("utf-8", "replace")
        _, status, used = os.wait4(pid, 0)
        answer = {
            "code": os.waitstatus_to_exitcode(status),
            "seconds": round(used.ru_utime + used.ru_stime, 2),
            "wall": round(time.monotonic() - started, 2),
            "peak_mb": used.ru_maxrss // 1024,
            "said": said,
        }
        _answer(answer)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
