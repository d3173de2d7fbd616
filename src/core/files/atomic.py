"""A file replaced whole: whoever reads it sees the old text or the new one, after a crash too."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ProjectError, UsageError

_PATIENCE_S = 10.0


def replace_file(path: Path, text: str | bytes) -> None:
    """Writes ``text`` (in UTF-8; bytes as they are) into a file beside ``path``, brings it to the disk, and
    moves it there.

    Folders above are made where there are none; the rights of an older file stay. What is no file, a pipe
    or a terminal, is written into. Raises UsageError where it cannot be written; then the older file is as it
    was.
    """
    try:
        content = text.encode() if isinstance(text, str) else text
        if path.exists() and not path.is_file():
            path.write_bytes(content)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        prefix, suffix = _draft_name(path)
        handle, name = tempfile.mkstemp(prefix=prefix, suffix=suffix, dir=path.parent)
        draft = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            draft.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)  # gone already where all went well
        sync(path.parent)
    except (OSError, UnicodeEncodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"{path} cannot be written ({reason}): name another place") from error


@contextmanager
def changing(path: Path, *, patience: float = _PATIENCE_S) -> Iterator[None]:
    """Held by the one process that reads a file, changes it and writes it again; others wait their turn.
    Raises UsageError where it does not come, or the folder cannot be written to."""
    from filelock import FileLock, Timeout

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path.with_name(f".{path.name}.lock"), timeout=patience)
        lock.acquire()
    except Timeout as error:
        raise UsageError(f"another process is writing {path}: try again") from error
    except OSError as error:
        raise UsageError(
            f"{path} cannot be written ({error.strerror or error}): name another place"
        ) from error
    try:
        yield
    finally:
        lock.release()


def sweep_drafts(path: Path) -> None:
    """Removes what writers left beside a file that is written under :func:`changing`, when they were killed.
    Where somebody is writing it now, all is left to a later time."""
    prefix, suffix = _draft_name(path)
    left = [file for file in path.parent.iterdir() if file.name.startswith(prefix) and file.suffix == suffix]
    if left:
        with suppress(UsageError), changing(path, patience=0):
            for draft in left:
                draft.unlink(missing_ok=True)


def _draft_name(path: Path) -> tuple[str, str]:
    """How the names of the files begin and end that are written beside a path before they replace it."""
    return f".{path.name}.", ".partial"


def sync(path: Path) -> None:
    """As :func:`to_disk`, where the system lets a folder be opened."""
    with suppress(OSError):
        to_disk(path)


def to_disk(path: Path) -> None:
    """Brings a file, or the names in a folder, to the disk. Raises OSError where it does not take them."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


_LARGE = 256 * 1024**2
_POPULATE = 22  # MADV_POPULATE_READ, Linux 5.14


def opened(file: Path, what: str) -> NDArray[Any]:
    """A ``.npy`` file of an index as a read-only array over a memory map; pages are read when they are
    touched.

    Linux is asked to map all pages at once (a few milliseconds for 100 MB that are in memory anyway),
    else the first visit to each page costs a fault; files above 256 MB are left to that.

    A plain array and not ``np.memmap``, each slice of which costs microseconds. Raises ProjectError,
    which says ``what`` it holds, where the file is missing or damaged.
    """
    try:
        array = np.load(file, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise ProjectError(
            f"{what} in {file.parent.name} cannot be read ({error}): index the book again with --rebuild"
        ) from error
    if sys.platform == "linux" and 0 < array.nbytes <= _LARGE:
        with suppress(OSError, ValueError):  # an older kernel: pages are mapped as they come
            array._mmap.madvise(_POPULATE)
    return np.asarray(array)
