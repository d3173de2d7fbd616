"""The commands of chunk packs: index, search, ask, schema."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..options import answer, progress_bars

if TYPE_CHECKING:
    from ...packs.items import Found, Wanted
    from ...packs.pack import Pack, PackReport

__all__ = ["packs"]

_path = click.Path(path_type=Path)
_json = click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
_set = click.option("--set", "assignments", multiple=True, metavar="SECTION.KEY=VALUE", help="One setting.")
_SHOWN = 20


def _filters(command: Callable[..., None]) -> Callable[..., None]:
    for option in (
        click.option("--as-of", type=click.IntRange(0), metavar="N", help="No item of a later chapter."),
        click.option("--all", "also_inactive", is_flag=True, help="Items that are not active too."),
        click.option("--section", default="", help="Only items of this section."),
        click.option("--language", default="", help="Only texts in this language, e.g. de."),
        click.option(
            "--tag", "tags", multiple=True, metavar="NAME=VALUE", help="Only with this tag (repeatable)."
        ),
    ):
        command = option(command)
    return command


@click.group()
def packs() -> None:
    """Search and ask packs of tagged pieces of text (JSON)."""


@packs.command("index")
@click.argument("sources", nargs=-1, required=True, type=_path)
@click.option("-o", "--output", required=True, type=_path, help="The pack's folder.")
@_set
@_json
def index_(sources: tuple[Path, ...], output: Path, assignments: tuple[str, ...], as_json: bool) -> None:
    """Make the pack hold the items of SOURCES and no others. SOURCES are .json and .jsonl files, and folders
    that hold such. Again, only what changed is embedded. What is no item is left out and listed."""
    from ...core.files.plain_json import plain
    from ...packs.pack import index_packs

    with _embedder(assignments) as embedder, progress_bars() as progress:
        report = index_packs(sources, output, embedder=embedder, progress=progress)
    answer(as_json, plain(report), lambda: _report(report, output))


@packs.command()
@click.argument("pack", type=_path)
@click.argument("query")
@click.option("-k", type=click.IntRange(1, 1000), default=5, show_default=True, help="How many items.")
@_filters
@_set
@_json
def search(
    pack: Path, query: str, k: int, assignments: tuple[str, ...], as_json: bool, **chosen: Any
) -> None:
    """Find items of PACK for QUERY."""
    from ...core.files.plain_json import plain

    with _opened(pack, assignments) as opened:
        found = opened.search(query, k, wanted=_wanted(**chosen), as_of=chosen["as_of"])
    answer(as_json, plain(found), lambda: _found(found))


@packs.command()
@click.argument("pack", type=_path)
@click.argument("question")
@_filters
@_set
@_json
def ask(pack: Path, question: str, assignments: tuple[str, ...], as_json: bool, **chosen: Any) -> None:
    """Answer QUESTION with sentences of PACK's items, quoted, and nothing else; or say that none answers."""
    from ...core.files.plain_json import plain

    with _opened(pack, assignments) as opened:
        found = opened.ask(question, wanted=_wanted(**chosen), as_of=chosen["as_of"])
    facts = {"answer": found.text, "told": found.told, "citations": plain(found.citations)}
    answer(as_json, facts, lambda: _said(found.text, [(one.label, one.quote) for one in found.citations]))


@packs.command()
def schema() -> None:
    """Print the JSON Schema of a pack's file."""
    import json

    from ...packs.items import schema as made

    click.echo(json.dumps(made(), indent=2))


@contextmanager
def _embedder(assignments: tuple[str, ...]) -> Iterator[Any]:
    from ...config import load_config
    from ...engine import make_embedder

    embedder = make_embedder(load_config(assignments=assignments))
    try:
        yield embedder
    finally:
        embedder.close()


@contextmanager
def _opened(folder: Path, assignments: tuple[str, ...]) -> Iterator[Pack]:
    from ...packs.pack import Pack

    with _embedder(assignments) as embedder:
        yield Pack(folder, embedder=embedder)


def _wanted(
    *,
    tags: tuple[str, ...],
    language: str,
    section: str,
    also_inactive: bool,
    as_of: int | None,  # noqa: ARG001
) -> Wanted:
    from ...errors import UsageError
    from ...packs.items import Wanted

    pairs = []
    for one in tags:
        name, equals, value = one.partition("=")
        if not (name and equals and value):
            raise UsageError(f"--tag is NAME=VALUE, not {one!r} (a tag of a plain list is tag={one})")
        pairs.append((name, value))
    return Wanted(tuple(pairs), language, section, also_inactive)


def _report(report: PackReport, folder: Path) -> str:
    said = f"{report.items:,} items in {folder} ({report.texts:,} texts, {report.embedded:,} embedded anew)"
    lines = [said if report.changed else f"{said}: nothing changed"]
    if report.skipped:
        lines.append(f"left out: {len(report.skipped):,}")
        lines += [f"  {one.file}  {one.id}: {one.reason}" for one in report.skipped[:_SHOWN]]
        if len(report.skipped) > _SHOWN:
            lines.append(f"  and {len(report.skipped) - _SHOWN:,} more: --json lists all")
    from ...views.text.render import harmless

    return harmless("\n".join(lines))


def _found(found: tuple[Found, ...]) -> str:
    from ...views.text.render import harmless

    lines: list[str] = []
    for number, one in enumerate(found, start=1):
        e = one.entry
        where = ", ".join(
            part
            for part in (
                e.language,
                e.section,
                f"chapter {e.chapter}" if e.chapter is not None else "",
                f"page {e.page}" if e.page is not None else "",
                *(f"{name}={value}" for name, value in e.tags),
                "" if e.active else "not active",
            )
            if part
        )
        lines += [f"{number}. {e.key} ({where})" if where else f"{number}. {e.key}", f"   {e.text}", ""]
    return harmless("\n".join(lines).rstrip()) if lines else "nothing found"


def _said(text: str, citations: list[tuple[str, str]]) -> str:
    from ...views.text.render import harmless

    return harmless("\n".join([text, *(f"  [{label}] {quote}" for label, quote in citations)]))
