"""A whole project in one file, made while it is open and written to."""

from __future__ import annotations

import contextlib
import hashlib
import os
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from ...core.store.sqlite import ProjectStore
from ...core.store.upkeep import copy_database, generation_in
from ...errors import ProjectError, UsageError
from ..foreign_graphs import GRAPHS, graph_names
from ..storage.opening import open_here
from ..storage.pictures_file import PICTURES
from .archive import DATABASE, MANIFEST, Contents, may_hold, open_archive, read_contents
from .drafts import draft_folder

__all__ = ["BackedUp", "back_up"]

_TRIES = 20
_PACKED = (".npy", ".npz")  # numbers do not get smaller
_BLOCK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class BackedUp:
    """How many files of a project stand in a backup, their bytes, and those of the backup."""

    title: str
    files: int
    bytes: int
    packed: int

    @property
    def text(self) -> str:
        """For a terminal."""
        return f"{self.title}: {self.files} files, {self.bytes / 1e6:,.1f} MB, in {self.packed / 1e6:,.1f} MB"


def back_up(folder: Path, file: Path) -> BackedUp:
    """Writes all of a project into one file: text, kept work, ratings and conversations as they are at one
    instant, the index that belongs to them, settings, corrections, graphs, pictures and answers. Others may
    read and write meanwhile. An older backup of that name is replaced once the new one is whole.

    Raises ProjectError where there is no finished project, UsageError where the file is there and no backup,
    or cannot be written.
    """
    if file.exists():
        _check_replaceable(file)
    with open_here(folder) as store:
        try:
            with draft_folder(file) as place:
                draft = place / "backup"
                done = _written(store, draft, place)
                draft.replace(file)
                _sync(file.parent)
                return done
        except OSError as error:
            raise UsageError(
                f"{file} cannot be written ({error.strerror or error}): make room, or name another place"
            ) from error


def _check_replaceable(file: Path) -> None:
    try:
        with open_archive(file) as archive:
            read_contents(archive, file)
    except ProjectError as error:
        raise UsageError(f"{file} is there and is no backup of fabula: name another file") from error


def _written(store: ProjectStore, draft: Path, place: Path) -> BackedUp:
    title, index = _frozen(store, place / DATABASE)
    files: dict[str, tuple[int, str]] = {}
    with zipfile.ZipFile(draft, "x", allowZip64=True) as archive:
        _add(archive, DATABASE, place / DATABASE, files)
        for name in store.generations.names(index.name):
            _add(archive, f"index/{index.name}/{name}", index / name, files)
        for name, path in _own_files(store.folder, place):
            with contextlib.suppress(FileNotFoundError):  # removed a moment ago
                _add(archive, name, path, files)
        contents = Contents(title, metadata.version("fabula"), files)
        archive.writestr(MANIFEST, contents.to_json(), compress_type=zipfile.ZIP_DEFLATED)
    _sync(draft)
    return BackedUp(title, len(files), contents.size, draft.stat().st_size)


def _frozen(store: ProjectStore, copy: Path) -> tuple[str, Path]:
    """Copies the database; the title of its book, and the folder of the index that belongs to the copy."""
    for _ in range(_TRIES):
        held = store.snapshot()
        copy.unlink(missing_ok=True)
        copy_database(store.folder / DATABASE, copy)
        if generation_in(copy) == held.index.name:
            return held.document.title, store.generations.root / held.index.name
    raise ProjectError(f"{store.folder} is published over faster than it can be copied: try again")


def _own_files(folder: Path, place: Path) -> Iterator[tuple[str, Path]]:
    """What readers and the author keep beside the index, by its name in the archive."""
    for path in sorted(folder.iterdir()):
        if path.suffix == ".sqlite" and path.is_file() and may_hold(path.name):
            copy_database(path, place / path.name)
            yield path.name, place / path.name
        elif path.suffix in (".toml", ".yaml", ".yml", ".json") and path.is_file() and may_hold(path.name):
            yield path.name, path
    for name in graph_names(folder):
        if may_hold(f"{GRAPHS}/{name}.json"):
            yield f"{GRAPHS}/{name}.json", folder / GRAPHS / f"{name}.json"
    if (folder / PICTURES).is_dir():
        for path in sorted((folder / PICTURES).iterdir()):
            if may_hold(f"{PICTURES}/{path.name}"):
                yield f"{PICTURES}/{path.name}", path


def _add(archive: zipfile.ZipFile, name: str, path: Path, files: dict[str, tuple[int, str]]) -> None:
    """Puts a file into the archive as it is now, and its size and checksum into ``files``. Raises
    ProjectError for a link: what it leads to may be anybody's."""
    if path.is_symlink():
        raise ProjectError(f"{path} is a link, which a backup does not hold: put the file in its place")
    about = zipfile.ZipInfo(name)
    about.compress_type = zipfile.ZIP_STORED if path.suffix in _PACKED else zipfile.ZIP_DEFLATED
    about.external_attr = 0o644 << 16
    size, seen = 0, hashlib.sha256()
    with path.open("rb") as source, archive.open(about, "w", force_zip64=True) as target:
        while block := source.read(_BLOCK):
            target.write(block)
            seen.update(block)
            size += len(block)
    files[name] = (size, seen.hexdigest())


def _sync(path: Path) -> None:
    with contextlib.suppress(OSError):  # a folder that cannot be opened on this system
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
