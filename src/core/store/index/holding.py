"""Advisory locks on folders that are read: whoever removes old ones passes over those that are held.

A hold is a shared ``flock`` on one file of the folder, so it ends with the process, however that ends. Where
a system has no such locks (Windows, some network drives), nothing is held and everything counts as free.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def hold(file: Path) -> int | None:
    """Holds the file's folder until :func:`release`; None where it is being removed, is gone, or cannot be
    held."""
    try:
        descriptor = os.open(file, os.O_RDONLY)
    except OSError:
        return None
    if _locked(descriptor, shared=True):
        return descriptor
    os.close(descriptor)
    return None


def release(descriptor: int) -> None:
    """Ends a hold."""
    with suppress(OSError):
        os.close(descriptor)


@contextmanager
def free(file: Path) -> Iterator[bool]:
    """Whether nobody holds the file's folder; then nobody can while the block runs."""
    try:
        descriptor = os.open(file, os.O_RDONLY)
    except OSError:  # never finished, or gone
        yield True
        return
    try:
        yield _locked(descriptor, shared=False)
    finally:
        os.close(descriptor)


def _locked(descriptor: int, *, shared: bool) -> bool:
    """False where another's lock stands against it."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True
