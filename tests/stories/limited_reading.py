"""Reads hostile inputs as ``fabula index`` would, each in a process that is made for it and ended by limits.

To be preloaded by a fork server, so that the models are loaded once. A book goes all the way of ``fabula
index`` but for the computing of its vectors, which costs the same for every word.
"""

import os
import resource
import signal

import numpy as np

from fabula.core.embeddings import EmbeddingManager
from fabula.errors import FabulaError
from fabula.project.creating import index_book
from fabula.story.codex.file import CodexFile
from fabula.story.extraction.reader import StoryReader

READER = StoryReader()
READER.read("Anna rowed home.")


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
    return f"{len(CodexFile.parse(file.read_text(encoding='utf-8')).characters)} characters"


def read_limited(answer, kind, file, folder, seconds, megabytes):
    """Sends ``code`` (0 read, 2 refused in one line, 1 broken), ``seconds`` of the processor, ``peak_mb`` and
    ``said`` through ``answer``, a pipe; nothing where it was killed."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_DATA, (megabytes * 1024**2,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.alarm(10 * seconds)  # by the clock: this machine may be busy
    code = 1
    try:
        said, code = _read(kind, file, folder), 0
    except FabulaError as error:
        said, code = str(error), 2 if "\n" not in str(error) else 1
    except BaseException as error:  # noqa: BLE001 (whatever it is, it is told)
        said = f"{type(error).__name__}: {error}"
    used = resource.getrusage(resource.RUSAGE_SELF)
    told = {"code": code, "seconds": used.ru_utime + used.ru_stime, "peak_mb": used.ru_maxrss // 1024}
    answer.send(told | {"said": said[:500]})
    os._exit(0)
