"""A file replaced whole: whoever reads it sees the old text or the new one, after a crash too."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from ..errors import UsageError

__all__ = ["replace_file"]


def replace_file(path: Path, text: str) -> None:
    """Writes ``text`` as UTF-8 into a file beside ``path``, brings it to the disk, and moves it there.

    Folders above are made where there are none; the rights of an older file stay. What is no file, a pipe
    or a terminal, is written into. Raises UsageError where it cannot be written; then the older file is as it
    was.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8", newline="\n")
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".partial", dir=path.parent)
        draft = Path(name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            draft.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)  # gone already where all went well
        _sync_folder(path.parent)
    except (OSError, UnicodeEncodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"{path} cannot be written ({reason}): name another place") from error


def _sync_folder(folder: Path) -> None:
    """Brings the new name to the disk, where the system lets a folder be opened."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
