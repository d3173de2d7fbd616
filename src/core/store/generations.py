"""Index files that appear whole or not at all.

A generation is a folder of files with a manifest. It is written under a name that readers ignore, forced
to disk, and renamed; which generation counts is said by the database, in the same transaction as the text
it belongs to, so that the two can never disagree.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...errors import ProjectError

__all__ = ["Generations"]

SCHEMA = 1
_MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Generations:
    """The generation folders under ``root``."""

    root: Path

    def write(self, fill: Callable[[Path], None], *, facts: Mapping[str, str | int]) -> str:
        """Makes a new generation: ``fill`` writes the files into the folder it is given; ``facts`` go into
        the manifest. Returns the name under which it can be opened."""
        self.root.mkdir(parents=True, exist_ok=True)
        name = f"{max(self._numbers(), default=0) + 1:06d}"
        draft = self.root / f".{name}.partial"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir()
        fill(draft)
        files = {}
        for file in sorted(draft.iterdir()):
            _sync(file)
            files[file.name] = {"bytes": file.stat().st_size, "sha256": _digest(file)}
        manifest = {"schema": SCHEMA, "facts": dict(facts), "files": files}
        (draft / _MANIFEST).write_text(json.dumps(manifest, indent=1, sort_keys=True), encoding="utf-8")
        _sync(draft / _MANIFEST)
        _sync(draft)
        draft.rename(self.root / name)
        _sync(self.root)
        return name

    def open(self, name: str) -> Path:
        """The folder of a generation, after checking its manifest and its files' sizes."""
        folder = self.root / name
        manifest = self._manifest(folder)
        for file, expected in manifest["files"].items():
            try:
                size = (folder / file).stat().st_size
            except OSError:
                size = -1
            if size != expected["bytes"]:
                raise ProjectError(
                    f"{file} of index generation {name} has {size} bytes, not {expected['bytes']}: "
                    "the project is damaged, index the book again with --rebuild"
                )
        return folder

    def verify(self, name: str) -> None:
        """Reads every file and compares its SHA-256 with the manifest's. Raises ProjectError."""
        folder = self.open(name)
        for file, expected in self._manifest(folder)["files"].items():
            if _digest(folder / file) != expected["sha256"]:
                raise ProjectError(f"{file} of index generation {name} is damaged: index with --rebuild")

    def sweep(self, *, keep: str | None) -> None:
        """Removes what no reader needs: half-written folders and all generations but ``keep`` and the one
        before it (a reader may be about to open that)."""
        if not self.root.is_dir():
            return
        number = int(keep) if keep else 0
        for folder in self.root.iterdir():
            stale = not folder.name.isdigit() or not number - 1 <= int(folder.name) <= number
            if stale and folder.is_dir():
                shutil.rmtree(folder, ignore_errors=True)

    def _numbers(self) -> list[int]:
        return [int(folder.name) for folder in self.root.iterdir() if folder.name.isdigit()]

    def _manifest(self, folder: Path) -> dict[str, dict[str, dict[str, int | str]]]:
        try:
            manifest = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
            schema = manifest["schema"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ProjectError(
                f"index generation {folder.name} cannot be read ({error}): index again with --rebuild"
            ) from error
        if schema != SCHEMA:
            raise ProjectError(
                f"index generation {folder.name} has schema {schema}, this version reads {SCHEMA}: "
                "index the book again with --rebuild"
            )
        return dict(manifest)


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
