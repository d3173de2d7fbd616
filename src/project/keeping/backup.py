"""A backup: a whole project in one file, made while it is open and written to, and the project made again
from it.

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
from ...core.store.folder import DATABASE
from ...core.store.generations import free, hold, read_manifest, release
from ...core.store.sqlite import ProjectStore, copy_database, read_only
from ...errors import FabulaError, ProjectError, UsageError
from ..storage.opening import open_here
from ..storage.pictures_file import PICTURES
from .checks import Verified
from .verifying import verify

_TRIES = 20
_PACKED = (".npy", ".npz")  # numbers do not get smaller
_BLOCK = 1024 * 1024
_MANIFEST = "manifest.json"
_FORMAT, _SCHEMA = "fabula backup", 1
_PLAIN = r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,100}"
_NAMES = re.compile(
    rf"{re.escape(DATABASE)}|{_PLAIN}\.(?:toml|yaml|yml)|codex\.json|graphs/[a-z0-9][a-z0-9-]{{0,39}}\.json|"
    rf"pictures/[0-9a-f]{{16}}\.(?:png|jpg)|comparisons/[0-9-]{{10,40}}\.json|answers-[0-9a-f]{{12}}\.sqlite|index/[0-9]{{6,12}}/{_PLAIN}"
)
_LARGEST_MANIFEST = 4 * 1024 * 1024
_MOST_FILES = 10_000
_MOST_PACKED, _LITTLE = 100, 50_000_000  # how many times smaller a project gets; bytes that never matter
_DIGEST = re.compile(r"[0-9a-f]{64}")
_UNREADABLE = (OSError, RuntimeError, NotImplementedError, EOFError, zipfile.BadZipFile, zlib.error)
_Files = Mapping[str, tuple[int, str]]
"""Size and SHA-256 of each file, by name."""


@dataclass(frozen=True, slots=True)
class BackedUp:
    """How many files of a project stand in a backup, their bytes, and those of the backup."""

    title: str
    files: int
    bytes: int
    packed: int

    @property
    def text(self) -> str:
        return f"{self.title}: {self.files} files, {self.bytes / 1e6:,.1f} MB, in {self.packed / 1e6:,.1f} MB"


def back_up(folder: Path, file: Path) -> BackedUp:
    """Writes all of a project into one file: text, kept work, ratings and conversations as they are at one
    instant, the index that belongs to them, settings, corrections, pictures and answers. Others may
    read and write meanwhile. An older backup of that name is replaced once the new one is whole.

    Raises ProjectError for no finished project, UsageError for a file that is no backup or unwritable."""
    if file.exists():
        try:
            with _opened(file):
                pass
        except ProjectError as error:
            raise UsageError(f"{file} exists and is not a backup of fabula: name another file") from error
    with open_here(folder) as store, _writable(file, UsageError), _draft_folder(file) as place:
        done = _written(store, place)
        (place / "backup").replace(file)
        sync(file.parent)
        return done


@contextmanager
def _writable(path: Path, kind: type[FabulaError]) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = error.strerror or error
        raise kind(f"{path} cannot be written ({why}): make room, or name another place") from error


def _written(store: ProjectStore, place: Path) -> BackedUp:
    title, index = _frozen(store, place / DATABASE)
    files: dict[str, tuple[int, str]] = {}
    draft = place / "backup"
    with zipfile.ZipFile(draft, "x", allowZip64=True) as archive:
        _add(archive, DATABASE, place / DATABASE, files)
        for name in store.generations.names(index.name):
            _add(archive, f"index/{index.name}/{name}", index / name, files)
        for name, path in _own_files(store.folder, place):
            with contextlib.suppress(FileNotFoundError):  # removed a moment ago
                _add(archive, name, path, files)
        head = {"format": _FORMAT, "schema": _SCHEMA, "title": title, "made_by": metadata.version("fabula")}
        listed = {name: {"bytes": size, "sha256": sha} for name, (size, sha) in sorted(files.items())}
        manifest = json.dumps({**head, "files": listed}, indent=1, ensure_ascii=False)
        archive.writestr(_MANIFEST, manifest, compress_type=zipfile.ZIP_DEFLATED)
    sync(draft)
    return BackedUp(title, len(files), _size(files), draft.stat().st_size)


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
    kept = (*folder.iterdir(), *folder.glob(f"{PICTURES}/*"), *folder.glob("comparisons/*"))
    for path in sorted(kept):
        name = path.relative_to(folder).as_posix()
        if name == DATABASE or not _may_hold(name) or not path.is_file():
            continue
        if path.suffix == ".sqlite":
            copy_database(path, place / name)
        yield name, place / name if path.suffix == ".sqlite" else path


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


def _size(files: _Files) -> int:
    return sum(size for size, _ in files.values())


def _may_hold(name: str) -> bool:
    return _NAMES.fullmatch(name) is not None and ".." not in name


# --- an archive that anybody may have made -------------------------------------------------------


@contextmanager
def _opened(file: Path) -> Iterator[tuple[zipfile.ZipFile, _Files]]:
    """The archive, and its files by the manifest, where it holds nothing else. Raises ProjectError."""
    with contextlib.ExitStack() as held:
        try:
            archive = held.enter_context(zipfile.ZipFile(file))
            files = _listed(archive, file.stat().st_size)
        except (KeyError, TypeError, AttributeError, ValueError, RecursionError, *_UNREADABLE) as error:
            reason = getattr(error, "strerror", None) or error
            raise ProjectError(f"{file} is no complete backup ({reason}): name another file") from error
        yield archive, files


def _listed(archive: zipfile.ZipFile, packed: int) -> _Files:
    """The files of an archive of ``packed`` bytes. Raises ProjectError, ValueError, KeyError or TypeError
    where something is not as a backup has it."""
    infos = archive.infolist()
    if len(infos) > _MOST_FILES:
        raise ValueError("it holds more than a project does")
    manifest = json.loads(_read(archive, _MANIFEST))
    if manifest["format"] != _FORMAT or manifest["schema"] != _SCHEMA:
        raise ValueError(f"its manifest is of {manifest['format']!r}, schema {manifest['schema']!r}")
    files = {str(name): (int(one["bytes"]), str(one["sha256"])) for name, one in manifest["files"].items()}
    if sorted(info.filename for info in infos) != sorted([_MANIFEST, *files]) or DATABASE not in files:
        raise ValueError("it does not hold the files that its manifest names")
    sizes = {info.filename: info.file_size for info in infos}
    for name, (size, sha) in files.items():
        if not _may_hold(name):
            raise ValueError(f"{name[:80]!r} is not a file of a project")
        if size != sizes[name] or not _DIGEST.fullmatch(sha):
            raise ValueError(f"its manifest is damaged at {name}")
    if _size(files) > max(_LITTLE, _MOST_PACKED * packed):
        raise ValueError(f"it unpacks to {_size(files) / 1e6:,.0f} MB, {_MOST_PACKED} times its own size")
    _check_indexes(archive, files)
    return files


def _check_indexes(archive: zipfile.ZipFile, files: _Files) -> None:
    """Every file of an index is one that the index's own manifest lists so. Raises as :func:`_listed`."""
    known: dict[str, tuple[int, str]] = {}
    for folder in {name.rpartition("/")[0] for name in files if name.startswith("index/")}:
        listed = read_manifest(_read(archive, f"{folder}/{_MANIFEST}"), folder[6:])
        known |= {f"{folder}/{name}": about for name, about in listed.items()}
    for name, about in files.items():
        in_index = name.startswith("index/") and not name.endswith(f"/{_MANIFEST}")
        if in_index and known.get(name) != about:
            raise ValueError(f"the index's own manifest does not list {name} so")


def _read(archive: zipfile.ZipFile, name: str) -> bytes:
    """A manifest. Raises ValueError where it is larger than one can be."""
    with archive.open(name) as stream:
        raw = stream.read(_LARGEST_MANIFEST + 1)
    if len(raw) > _LARGEST_MANIFEST:
        raise ValueError(f"its {name} is larger than such a file can be")
    return raw


@dataclass(frozen=True, slots=True)
class Restored:
    """How many files were written, and how the project is that they make."""

    files: int
    now: Verified

    @property
    def text(self) -> str:
        return f"restored {self.files} files\n{self.now.text}"


def restore(file: Path, folder: Path) -> Restored:
    """Makes the project in ``folder``, which must be new or empty, from a backup. Every file is compared with
    the manifest, and the project is verified, before the folder gets its name.

    Raises ProjectError for a folder that is not empty, or no whole backup: then nothing is written."""
    with _opened(file) as (archive, files), _writable(folder, ProjectError):
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise ProjectError(f"{folder} is not empty: restore into a new folder")
        with _draft_folder(folder) as place:
            room = shutil.disk_usage(place).free
            if _size(files) > room:
                raise ProjectError(
                    f"{file} takes {_size(files) / 1e6:,.0f} MB and {folder.parent} has "
                    f"{room / 1e6:,.0f} MB free: make room, or restore elsewhere"
                )
            draft = place / "project"
            _extract(archive, files, draft, file)
            try:
                now = verify(draft)
            except ProjectError as error:
                why = str(error).replace(str(draft), str(file))
                raise ProjectError(f"nothing is restored: {why}") from error
            draft.replace(folder)
            sync(folder.parent)
    return Restored(len(files), now)


def _extract(archive: zipfile.ZipFile, files: _Files, draft: Path, file: Path) -> None:
    for name, (size, sha) in files.items():
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
def _draft_folder(path: Path) -> Iterator[Path]:
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
