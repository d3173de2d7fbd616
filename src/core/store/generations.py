"""Index files that appear whole or not at all, and how a generation of them is read.

A generation is a folder of files with a manifest. It is written under a name that readers ignore, forced
to disk, and renamed; which generation counts is said by the database, in the same transaction as the text
it belongs to, so that the two can never disagree.

A hold on one that is read is a shared ``flock`` on one file of its folder, so it ends with the process,
however that ends. Where a system has no such locks (Windows, some network drives), nothing is held and
everything counts as free.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path

from ...errors import ProjectError
from ..chunks.table import ChunkTable
from ..files.atomic import to_disk
from ..lexical.bm25 import LexicalIndex
from ..types import Document
from ..vectors.index import VectorIndex


def hold(file: Path) -> int | None:
    """Holds the file's folder until :func:`release`; None where it is being removed, or cannot be held."""
    try:
        descriptor = os.open(file, os.O_RDONLY)
    except OSError:
        return None
    if _locked(descriptor, shared=True):
        return descriptor
    os.close(descriptor)
    return None


def release(descriptor: int) -> None:
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


@dataclass(frozen=True, slots=True)
class GraphRows:
    """A story graph as rows: ``entities`` are (id, kind, name, first chapter), ``relations`` (subject,
    predicate, object, modality, chapter, confidence, start and end of its first quote or None)."""

    entities: tuple[tuple[str, str, str, int], ...] = ()
    relations: tuple[tuple[str, str, str, str, int, float, int | None, int | None], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Publication:
    """A book and its index. ``chunks`` in order of telling; ``lexical`` and ``vectors`` number them alike.
    ``fill`` writes into a folder the files of what else was made of the book, the story graph among them;
    ``graph`` gives that as rows, for a store that keeps tables of it. ``meta`` is what is kept of its making;
    ``used`` are the (producer, key) pairs of the work that is still wanted."""

    document: Document
    chunks: ChunkTable
    lexical: LexicalIndex
    vectors: VectorIndex
    fill: Callable[[Path], None]
    graph: Callable[[], GraphRows] = GraphRows
    meta: Mapping[str, str] = field(default_factory=dict)
    used: Collection[tuple[str, str]] = ()

    def save(self, folder: Path) -> None:
        """Writes all of it as files."""
        self.vectors.save(folder)
        self.save_but_vectors(folder)

    def save_but_vectors(self, folder: Path) -> None:
        """Writes the rest of it."""
        self.chunks.save(folder)
        self.lexical.save(folder)
        self.fill(folder)


SCHEMA = 1
_MANIFEST = "manifest.json"
_NUMBER = re.compile(r"[0-9]{6,12}")
_DRAFT = re.compile(r"\.[0-9]{6,12}\.partial")
_WAY_OUT = "index the book again with fabula index --rebuild"


@dataclass(frozen=True, slots=True)
class Generations:
    """The generation folders under ``root``."""

    root: Path

    def write(self, fill: Callable[[Path], None], *, facts: Mapping[str, str | int]) -> str:
        """Makes a new generation: ``fill`` writes the files into the folder it is given; ``facts`` go into
        the manifest. Returns the name under which it can be opened. Raises ProjectError where the files
        cannot be written; then nothing of them stays."""
        folders = self.root.iterdir() if self.root.is_dir() else ()
        numbers = (int(folder.name) for folder in folders if _NUMBER.fullmatch(folder.name))
        name = f"{max(numbers, default=0) + 1:06d}"
        draft = self._draft(name)
        try:
            shutil.rmtree(draft, ignore_errors=True)
            draft.mkdir(parents=True)
            fill(draft)
            _seal(draft, facts)
            draft.rename(self.root / name)
            to_disk(self.root)
        except OSError as error:
            shutil.rmtree(draft, ignore_errors=True)
            raise ProjectError(
                f"the index files in {self.root} cannot be written ({error.strerror or error}): make room on "
                "the disk and do it again, what was there before is whole"
            ) from error
        return name

    def open(self, name: str) -> Path:
        """The folder of a generation, after checking its manifest and its files' sizes."""
        folder = self.root / name
        for file, (expected, _) in self._files(folder).items():
            try:
                size = (folder / file).stat().st_size
            except OSError as error:
                raise ProjectError(f"{file} of index generation {name} is missing: {_WAY_OUT}") from error
            if size != expected:
                raise ProjectError(
                    f"{file} of index generation {name} has {size} bytes, not {expected}: {_WAY_OUT}"
                )
        return folder

    def verify(self, name: str, *patterns: str, again: bool = False) -> None:
        """Reads the files whose names match (all, without a pattern) and compares their SHA-256 with the
        manifest's; within a process only those not read before or touched since, unless ``again``. Costs some
        11 ms for 10 MB. Raises ProjectError for the first that differs."""
        for file, _ in self._differing(name, patterns, again=again):
            raise ProjectError(f"{file} of index generation {name} is damaged: {_WAY_OUT}")

    def differing(self, name: str) -> list[tuple[str, str]]:
        """Every file that is not as it was written, read anew, and what is the matter with it. Raises
        ProjectError where the manifest cannot be read."""
        folder = self.root / name
        found = [
            (file, "its bytes are not those of the manifest" if found else "it is missing")
            for file, found in self._differing(name, (), again=True)
        ]
        listed = self.names(name)
        more = sorted(path.name for path in folder.iterdir() if path.name not in listed)
        return [*found, *((file, "the manifest does not know it") for file in more)]

    def _differing(self, name: str, patterns: tuple[str, ...], *, again: bool) -> Iterator[tuple[str, str]]:
        """Files that match and differ from what was written, with the digest found, "" for none."""
        folder = self.root / name
        for file, (_, expected) in self._files(folder).items():
            if patterns and not any(fnmatchcase(file, pattern) for pattern in patterns):
                continue
            try:
                now = (folder / file).stat()
                state = now.st_ino, now.st_size, now.st_mtime_ns
                found = digest_file(folder / file) if again else _digest_once(folder / file, state)
            except OSError:
                found = ""
            if found != expected:
                yield file, found

    def hold(self, name: str) -> int | None:
        """Keeps the generation from being swept until released (see :func:`hold`); None where it is gone."""
        return hold(self.root / name / _MANIFEST)

    def sweep(self, *, keep: str | None, before: bool = True) -> list[str]:
        """Removes half-written folders and all generations but ``keep``, those that somebody holds, and the
        one ``before`` it (a reader may be about to open that). Returns what it removed."""
        number = int(keep) if keep else 0
        swept = []
        for folder in self.leftovers(keep):
            if before and folder.name.isdigit() and int(folder.name) == number - 1:
                continue
            with free(folder / _MANIFEST) as is_free, suppress(OSError):
                if is_free:
                    draft = self._draft(folder.name)  # where this is killed, the rest still has a known name
                    shutil.rmtree(folder.rename(draft) if folder.name.isdigit() else folder)
                    swept.append(folder.name)
        return swept

    def leftovers(self, keep: str | None) -> list[Path]:
        """Half-written folders and all generations but ``keep``, by name; no links, and nothing else."""
        return [
            folder
            for folder in (sorted(self.root.iterdir()) if self.root.is_dir() else [])
            if folder.name != keep and folder.is_dir() and not folder.is_symlink()
            if _DRAFT.fullmatch(folder.name)
            or (_NUMBER.fullmatch(folder.name) and (folder / _MANIFEST).is_file())
        ]

    def _draft(self, name: str) -> Path:
        return self.root / f".{name}.partial"

    def names(self, name: str) -> list[str]:
        """The files of a generation, and its manifest's. Raises ProjectError where that cannot be read."""
        return sorted((*self._files(self.root / name), _MANIFEST))

    def _files(self, folder: Path) -> dict[str, tuple[int, str]]:
        try:
            return read_manifest((folder / _MANIFEST).read_bytes(), folder.name)
        except OSError as error:
            raise ProjectError(
                f"the manifest of index generation {folder.name} cannot be read ({error!r}): {_WAY_OUT}"
            ) from error


def read_manifest(raw: bytes, generation: str) -> dict[str, tuple[int, str]]:
    """Size and SHA-256 of each file of a generation, by name. Raises ProjectError where it cannot be read."""
    try:
        manifest = json.loads(raw)
        schema = manifest["schema"]
        files = {
            str(name): (int(about["bytes"]), str(about["sha256"]))
            for name, about in (manifest["files"] if schema == SCHEMA else {}).items()
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ProjectError(
            f"the manifest of index generation {generation} cannot be read ({error!r}): {_WAY_OUT}"
        ) from error
    if schema != SCHEMA:
        raise ProjectError(
            f"index generation {generation} has schema {schema}, this version reads {SCHEMA}: {_WAY_OUT}"
        )
    return files


def _seal(draft: Path, facts: Mapping[str, str | int]) -> None:
    files = {}
    for file in sorted(draft.iterdir()):
        to_disk(file)
        files[file.name] = {"bytes": file.stat().st_size, "sha256": digest_file(file)}
    manifest = {"schema": SCHEMA, "facts": dict(facts), "files": files}
    (draft / _MANIFEST).write_text(json.dumps(manifest, indent=1, sort_keys=True), encoding="utf-8")
    to_disk(draft / _MANIFEST)
    to_disk(draft)


@lru_cache(maxsize=1024)
def _digest_once(file: Path, _state: tuple[int, int, int]) -> str:
    return digest_file(file)


def digest_file(file: Path) -> str:
    """SHA-256 of its bytes, in hex."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
