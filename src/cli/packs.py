"""The commands of chunk packs: index, search, ask, suggest, schema."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import answer, json_option, progress_bars, set_option

if TYPE_CHECKING:
    from ..core.answering.answered import Answered
    from ..packs.asking import PackSuggestions
    from ..packs.items import Found, Wanted
    from ..packs.pack import Pack, PackReport

_path = click.Path(path_type=Path)
_talking = click.option(
    "--conversation",
    "talk",
    metavar="ID",
    help="Continue or begin the conversation with this id; the pack keeps it.",
)
_SHOWN = 20


def _filters(command: Callable[..., None]) -> Callable[..., None]:
    for option in (
        click.option("--as-of", type=click.IntRange(0), metavar="N", help="No items from later chapters."),
        click.option("--all", "also_inactive", is_flag=True, help="Include inactive items."),
        click.option("--section", default="", help="Only items in this section."),
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
@set_option
@json_option
def index_(sources: tuple[Path, ...], output: Path, assignments: tuple[str, ...], as_json: bool) -> None:
    """Make the pack hold exactly the items of SOURCES. SOURCES are .json and .jsonl files, or folders of
    them. When you run it again, only changes are embedded. Invalid items are left out and listed."""
    from ..packs.pack import index_packs

    with _embedder(assignments) as embedder, progress_bars() as progress:
        report = index_packs(sources, output, embedder=embedder, progress=progress)
    answer(as_json, report, lambda: _report(report, output))


@packs.command()
@click.argument("pack", type=_path)
@click.argument("query")
@click.option("-k", type=click.IntRange(1, 1000), default=5, show_default=True, help="How many items.")
@_filters
@set_option
@json_option
def search(
    pack: Path, query: str, k: int, assignments: tuple[str, ...], as_json: bool, **chosen: Any
) -> None:
    """Find items of PACK for QUERY."""

    with _opened(pack, assignments) as opened:
        found = opened.search(query, k, wanted=_wanted(**chosen), as_of=chosen["as_of"])
    answer(as_json, found, lambda: _found(found))


@packs.command()
@click.argument("pack", type=_path)
@click.argument("question", required=False)
@click.option("-k", type=click.IntRange(1, 1000), default=12, show_default=True, help="Texts to answer from.")
@click.option(
    "--model/--no-model",
    default=None,
    help="Let the language model write the answer, or answer in the items' own sentences. By default "
    "the model writes if one is connected.",
)
@_talking
@_filters
@set_option
@json_option
def ask(
    pack: Path,
    question: str | None,
    k: int,
    model: bool | None,
    talk: str | None,
    assignments: tuple[str, ...],
    as_json: bool,
    **chosen: Any,
) -> None:
    """Answer QUESTION from PACK's items, with quotes, or not at all. The answer is in the items' own
    sentences, or from the language model, checked against them. Without QUESTION it reads questions from
    stdin, one per line, as a conversation."""
    from ..core.files.plain_json import plain
    from ..packs.asking import ask as ask_pack

    as_of = chosen["as_of"]
    with _written(pack, assignments, model) as (opened, generator), _talk(pack, talk, as_of) as history:
        for one in filter(str.strip, sys.stdin) if question is None else [question]:
            found = ask_pack(
                opened,
                one.strip(),
                k=k,
                wanted=_wanted(**chosen),
                as_of=as_of,
                history=history,
                generator=generator,
            )
            history.append((one.strip(), found.text))
            facts = {
                "answer": found.text,
                "told": found.told,
                "citations": plain(found.citations),
                "model": found.model,
                "supported": found.supported,
                "notices": found.notices,
            }
            answer(as_json, facts, lambda found=found: _said(found))  # type: ignore[misc]


@packs.command()
@click.argument("pack", type=_path)
@click.argument("said")
@click.option("-n", "--count", type=click.IntRange(1, 10), default=3, show_default=True, help="How many.")
@click.option("--style", default="", metavar="WORDS", help="How they should sound.")
@click.option("--twist", default="", metavar="WORDS", help="What they should bring up.")
@click.option("--in", "spoken", default="", metavar="LANGUAGE", help="The language to write in, e.g. de.")
@_talking
@_filters
@set_option
@json_option
def suggest(
    pack: Path,
    said: str,
    count: int,
    style: str,
    twist: str,
    spoken: str,
    talk: str | None,
    assignments: tuple[str, ...],
    as_json: bool,
    **chosen: Any,
) -> None:
    """Let the language model suggest what to say after SAID. It uses the items of PACK that fit the whole
    conversation."""
    from ..config import load_config
    from ..packs.asking import suggest as suggest_next

    wishes = load_config({"wishes": {"style": style, "twist": twist, "language": spoken}}).wishes
    as_of = chosen["as_of"]
    with (
        _written(pack, assignments, True, suggests=True) as (opened, model),
        _talk(pack, talk, as_of) as history,
    ):
        found = suggest_next(
            opened,
            said,
            model,
            count=count,
            wishes=wishes,
            wanted=_wanted(**chosen),
            as_of=as_of,
            history=history,
        )
        history.append((said, ""))
    answer(as_json, found, lambda: _suggested(found))


@packs.command()
def schema() -> None:
    """Print the JSON Schema of a pack's file."""
    import json

    from ..packs.items import schema as made

    click.echo(json.dumps(made(), indent=2))


@contextmanager
def _embedder(assignments: tuple[str, ...]) -> Iterator[Any]:
    from ..config import load_config
    from ..engine import make_embedder

    embedder = make_embedder(load_config(assignments=assignments))
    try:
        yield embedder
    finally:
        embedder.close()


@contextmanager
def _opened(folder: Path, assignments: tuple[str, ...]) -> Iterator[Pack]:
    from ..packs.pack import Pack

    with _embedder(assignments) as embedder:
        yield Pack(folder, embedder=embedder)


@contextmanager
def _written(
    folder: Path, assignments: tuple[str, ...], model: bool | None, *, suggests: bool = False
) -> Iterator[tuple[Pack, Any]]:
    """The pack, and the language model or None."""
    from contextlib import ExitStack, closing

    from ..config import load_config
    from ..packs.asking import writer
    from ..project.factories import require_own_model

    config = load_config(assignments=assignments)
    if suggests:
        require_own_model(config, "suggestions are made")
    with ExitStack() as open_, _opened(folder, assignments) as pack:
        writes = config.model_answers if model is None else model
        yield pack, open_.enter_context(closing(writer(config, folder))) if writes else None


@contextmanager
def _talk(folder: Path, id: str | None, as_of: int | None) -> Iterator[list[tuple[str, str]]]:
    """The turns of a conversation; those that are put behind them are kept."""
    from ..packs.asking import conversation, keep_turns

    before = conversation(folder, id, as_of=as_of) if id else []
    turns = list(before)
    yield turns
    if id:
        keep_turns(folder, id, turns[len(before) :], as_of=as_of)


def _wanted(
    *,
    tags: tuple[str, ...],
    language: str,
    section: str,
    also_inactive: bool,
    as_of: int | None,  # noqa: ARG001
) -> Wanted:
    from ..errors import UsageError
    from ..packs.items import Wanted

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
    from ..views.text.render import harmless

    return harmless("\n".join(lines))


def _found(found: tuple[Found, ...]) -> str:
    from ..views.text.render import harmless

    lines: list[str] = []
    for number, one in enumerate(found, start=1):
        e = one.entry
        tags = [f"{name}={value}" for name, value in e.tags]
        where = ", ".join([*e.where, *tags, *([] if e.active else ["not active"])])
        lines += [f"{number}. {e.key} ({where})" if where else f"{number}. {e.key}", f"   {e.text}", ""]
    return harmless("\n".join(lines).rstrip()) if lines else "nothing found"


def _said(found: Answered) -> str:
    from ..views.text.render import harmless

    quotes = [f"  [{one.label}] {one.quote}" for one in found.citations]
    return harmless("\n".join([found.text, *quotes, *found.notices]))


def _suggested(found: PackSuggestions) -> str:
    lines = [f"{number}. {one}" for number, one in enumerate(found.items, start=1)]
    return "\n".join([*lines, f"by {', '.join(one.entry.key for one in found.sources)}", *found.notices])
