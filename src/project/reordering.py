"""What authors write beside a story, where the books of a series change their order."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.files.atomic import changing, replace_file
from ..story.corrections import CORRECTIONS_FILE, parse_corrections, read_text, with_chapters
from .factories import OWN_CODEX, codex_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..config import Config
    from ..story.corrections import Corrections

Authored = tuple["str | None", "Corrections"]
"""A codex, as it is written, and corrections."""

_MOMENT_S = 2.0
_log = logging.getLogger(__name__)


@contextmanager
def authored_moved(
    folder: Path, config: Config, before: Authored, after: Authored
) -> Iterator[Callable[[], None]]:
    """Writes codex and corrections into the project's own files as they are ``after`` its books changed their
    order, where they say what its index was made with; names those that count chapters as before. Gives what
    writes the files as they were.

    They are written before the index: files that count from earlier chapters than it does would tell too
    early when it is made again. While the block runs nobody else changes them. Raises UsageError where
    somebody does just now (whoever waits for the index with a file in hand goes first), and where the
    corrections cannot be read; then all is as it was.
    """
    codex, file = codex_file(folder, config, None) or folder / OWN_CODEX, folder / CORRECTIONS_FILE
    is_own = codex.resolve().is_relative_to(folder.resolve())
    with ExitStack() as held:
        for path in (codex, file) if is_own else (file,):
            held.enter_context(changing(path, patience=_MOMENT_S))
        old, new = _bytes(codex), after[0]
        written = read_text(file)
        said = parse_corrections(written)
        changes: list[tuple[Path, bytes | None, str]] = []
        if new is not None and new != before[0]:
            if is_own and old is not None and old == _encoded(before[0]):
                changes.append((codex, old, new))
            elif old != new.encode():
                _warn(codex if old is not None else "the codex, which is kept elsewhere,")
        if said == before[1] and said != after[1]:
            changes.append((file, _bytes(file), with_chapters(written, after[1])))
        elif said != after[1] and any(one.from_chapter for one in said.entries):
            _warn(file)

        def undo() -> None:
            for path, content, _ in changes:
                if content is not None:
                    replace_file(path, content)

        try:
            for path, _, text in changes:
                replace_file(path, text)
        except BaseException:
            undo()
            raise
        yield undo


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def _warn(what: Path | str) -> None:
    _log.warning(
        "books changed their order, and %s still counts chapters as before: change them by hand before you "
        "index with it",
        what,
    )
