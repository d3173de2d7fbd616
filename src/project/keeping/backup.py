"""A whole project in one file, made while it is open and written to, and the project made again from it.

The file is a zip of the project's files with a manifest of their sizes and checksums. What it may hold is
listed here, by name, so that nothing of another archive is written anywhere.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from ...core.files.atomic import sync
from ...core.store.generations import free, hold, read_manifest, release
from ...core.store.sqlite import ProjectStore
from ...core.store.sqlite_files import copy_database, read_only
from ...errors import ProjectError, UsageError
from ...story.interchange.importing import GRAPHS
from ..storage.opening import open_here
from ..storage.pictures_file import PICTURES
from .broken import Verified
from .verifying import verify

_TRIES = 20
_PACKED = (".npy", ".npz")  # numbers do not get smaller
_BLOCK = 1024 * 1024
MANIFEST = "manifest.json"
DATABASE = "fabula.db"
_FORMAT, _SCHEMA = "fabula backup", 1
_PLAIN = r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,100}"
_NAMES = re.compile(
    rf"{re.escape(DATABASE)}|{_PLAIN}\.(?:toml|yaml|yml)|codex\.json|graphs/[a-z0-9][a-z0-9-]{{0,39}}\.json|"
    rf"pictures/[0-9a-f]{{16}}\.(?:png|jpg)|answers-[0-9a-f]{{12}}\.sqlite|index/[0-9]{{6,12}}/{_PLAIN}"
)
_LARGEST_MANIFEST = 4 * 1024 * 1024
_MOST_FILES = 10_000
_MOST_PACKED, _LITTLE = 100, 50_000_000  # how many times smaller a project gets; bytes that never matter
_DIGEST = re.compile(r"[0-9a-f]{64}")


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
                sync(file.parent)
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
    sync(draft)
    return BackedUp(title, len(files), contents.size, draft.stat().st_size)


def _frozen(store: ProjectStore, copy: Path) -> tuple[str, Path]:
    """Copies the database; the title of its book, and the folder of the index that belongs to the copy."""
    for _ in range(_TRIES):
        held = store.snapshot()
        copy.unlink(missing_ok=True)
        copy_database(store.folder / DATABASE, copy)
        with contextlib.closing(read_only(copy)) as db:
            row = db.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()
        if row == (held.index.name,):
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
    for path in sorted((*folder.glob(f"{GRAPHS}/*"), *folder.glob(f"{PICTURES}/*"))):
        if may_hold(f"{path.parent.name}/{path.name}"):
            yield f"{path.parent.name}/{path.name}", path


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


@dataclass(frozen=True, slots=True)
class Contents:
    """What a manifest says: the book's title, and the size and SHA-256 of each file by name."""

    title: str
    made_by: str
    files: Mapping[str, tuple[int, str]]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(size for size, _ in self.files.values())

    def to_json(self) -> str:
        """As it stands in the archive."""
        files = {name: {"bytes": size, "sha256": sha} for name, (size, sha) in sorted(self.files.items())}
        head = {"format": _FORMAT, "schema": _SCHEMA, "title": self.title, "made_by": self.made_by}
        return json.dumps({**head, "files": files}, indent=1, ensure_ascii=False)


def may_hold(name: str) -> bool:
    """Is it the name of a file that a backup holds?"""
    return _NAMES.fullmatch(name) is not None and ".." not in name


def open_archive(file: Path) -> zipfile.ZipFile:
    """Raises ProjectError where it is no archive."""
    try:
        return zipfile.ZipFile(file)
    except (OSError, ValueError, NotImplementedError, zipfile.BadZipFile) as error:
        reason = getattr(error, "strerror", None) or error
        raise ProjectError(f"{file} is no backup of fabula ({reason}): name another file") from error


def read_contents(archive: zipfile.ZipFile, file: Path) -> Contents:
    """The manifest, where the archive holds what it and the index's own say, and nothing else. Raises
    ProjectError."""
    try:
        infos = archive.infolist()
        if len(infos) > _MOST_FILES:
            raise ValueError("it holds more than a project does")
        told = json.loads(_read(archive, MANIFEST))
        if told["format"] != _FORMAT or told["schema"] != _SCHEMA:
            raise ValueError(f"its manifest is of {told['format']!r}, schema {told['schema']!r}")
        files = {str(name): (int(one["bytes"]), str(one["sha256"])) for name, one in told["files"].items()}
        contents = Contents(str(told["title"]), str(told["made_by"]), files)
        indexes = {name.rpartition("/")[0] for name in files if name.startswith("index/")}
        indexed = {
            f"{index}/{name}": about
            for index in indexes
            for name, about in read_manifest(_read(archive, f"{index}/{MANIFEST}"), index[6:]).items()
        }
    except (
        KeyError,
        TypeError,
        AttributeError,
        ValueError,
        OSError,
        RecursionError,
        NotImplementedError,
        RuntimeError,
        EOFError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise ProjectError(f"{file} is no backup of fabula ({error}): name another file") from error
    _check(infos, contents, indexed, file)
    return contents


def _read(archive: zipfile.ZipFile, name: str) -> bytes:
    """A manifest. Raises ValueError where it is larger than one can be."""
    with archive.open(name) as stream:
        raw = stream.read(_LARGEST_MANIFEST + 1)
    if len(raw) > _LARGEST_MANIFEST:
        raise ValueError(f"its {name} is larger than such a file can be")
    return raw


def _check(
    infos: list[zipfile.ZipInfo], contents: Contents, indexed: Mapping[str, tuple[int, str]], file: Path
) -> None:
    held = sorted(info.filename for info in infos)
    if held != sorted([MANIFEST, *contents.files]):
        raise ProjectError(f"{file} does not hold the files that its manifest names: use another backup")
    for name, (size, sha) in contents.files.items():
        if not may_hold(name):
            raise ProjectError(
                f"{file} holds {name[:80]!r}, which is no file of a project: it is not restored"
            )
        in_index = name.startswith("index/") and not name.endswith(f"/{MANIFEST}")
        if in_index and indexed.get(name) != (size, sha):
            raise ProjectError(
                f"{file} holds {name}, which the index's own manifest does not know so: it is not restored"
            )
        if size < 0 or not _DIGEST.fullmatch(sha):
            raise ProjectError(f"{file} has a manifest that is damaged at {name}: use another backup")
    for info in infos:
        if info.filename in contents.files and info.file_size != contents.files[info.filename][0]:
            raise ProjectError(
                f"{file}: {info.filename} has not the size that the manifest names: use another"
            )
    if contents.size > max(_LITTLE, _MOST_PACKED * file.stat().st_size):
        raise ProjectError(
            f"{file} unpacks to {contents.size / 1e6:,.0f} MB, more than {_MOST_PACKED} times its own size: "
            "it is not restored"
        )
    if DATABASE not in contents.files:
        raise ProjectError(f"{file} holds no {DATABASE}: use another backup")


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
                sync(folder.parent)
        except OSError as error:
            raise ProjectError(
                f"{folder} cannot be written ({error.strerror or error}): make room, or restore elsewhere"
            ) from error
    return Restored(len(contents.files), now)


def _extract(archive: zipfile.ZipFile, contents: Contents, draft: Path, file: Path) -> None:
    for name, (size, sha) in contents.files.items():
        target = draft / name  # one of _NAMES, none of which leads out
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
        sync(path)


@contextmanager
def draft_folder(path: Path) -> Iterator[Path]:
    """A new folder beside ``path``, gone when the block ends; what killed ones left of theirs goes first.
    Folders above are made. Raises OSError."""
    prefix, suffix = f".{path.name}.", ".partial"
    path.parent.mkdir(parents=True, exist_ok=True)
    for left in path.parent.iterdir():
        if left.name.startswith(prefix) and left.suffix == suffix and not left.is_symlink():
            with free(left) as is_left:
                if is_left:
                    shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=prefix, suffix=suffix, dir=path.parent) as place:
        held = hold(Path(place))
        try:
            yield Path(place)
        finally:
            if held is not None:
                release(held)
