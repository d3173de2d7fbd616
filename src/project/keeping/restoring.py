"""A project made again from its backup, whole or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

from ...errors import ProjectError
from .archive import Contents, open_archive, read_contents
from .broken import Verified
from .drafts import draft_folder
from .verifying import verify

__all__ = ["Restored", "restore"]

_BLOCK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Restored:
    """How many files were written, and how the project is that they make."""

    files: int
    now: Verified

    @property
    def text(self) -> str:
        """For a terminal."""
        return f"restored {self.files} files\n{self.now.text}"


def restore(file: Path, folder: Path) -> Restored:
    """Makes the project in ``folder``, which must be new or empty, from a backup. Every file is compared with
    the manifest, and the project is verified, before the folder gets its name.

    Raises ProjectError where the folder holds something, or the file is no whole backup: then nothing is
    written.
    """
    with open_archive(file) as archive:
        contents = read_contents(archive, file)
        try:
            if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
                raise ProjectError(f"{folder} holds something already: restore into a new folder")
            with draft_folder(folder) as place:
                free = shutil.disk_usage(place).free
                if contents.size > free:
                    raise ProjectError(
                        f"{file} takes {contents.size / 1e6:,.0f} MB and {folder.parent} has "
                        f"{free / 1e6:,.0f} MB free: make room, or restore elsewhere"
                    )
                draft = place / "project"
                draft.mkdir()
                _extract(archive, contents, draft, file)
                try:
                    now = verify(draft)
                except ProjectError as error:
                    why = str(error).replace(str(draft), str(file))
                    raise ProjectError(f"nothing is restored: {why}") from error
                draft.replace(folder)
                _sync(folder.parent)
        except OSError as error:
            raise ProjectError(
                f"{folder} cannot be written ({error.strerror or error}): make room, or restore elsewhere"
            ) from error
    return Restored(len(contents.files), now)


def _extract(archive: zipfile.ZipFile, contents: Contents, draft: Path, file: Path) -> None:
    for name, (size, sha) in contents.files.items():
        target = draft / name  # one of the names of :mod:`.archive`, none of which leads out
        target.parent.mkdir(parents=True, exist_ok=True)
        left, seen = size, hashlib.sha256()
        try:
            with archive.open(name) as source, target.open("xb") as out:
                while block := source.read(min(_BLOCK, left + 1)):
                    left -= len(block)
                    if left < 0:
                        break
                    seen.update(block)
                    out.write(block)
                out.flush()
                os.fsync(out.fileno())
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
            raise ProjectError(f"{file} is damaged at {name} ({error}): use another backup") from error
        if left or seen.hexdigest() != sha:
            raise ProjectError(f"{file} is damaged at {name}: use another backup")
    for path in (draft, *(each for each in draft.rglob("*") if each.is_dir())):
        _sync(path)


def _sync(folder: Path) -> None:
    with contextlib.suppress(OSError):  # a folder that cannot be opened on this system
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
