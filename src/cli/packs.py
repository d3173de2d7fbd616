"""The commands of chunk packs: index, search, ask, suggest, schema."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .answering import Answers, answers, path
from .options import progress_bars, set_option

if TYPE_CHECKING:
    from ..core.answering.answered import Answered
    from ..packs.asking import PackSuggestions
    from ..packs.items import Found
    from ..packs.pack import Pack, PackReport

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
@click.argument("sources", nargs=-1, required=True, type=path)
@click.option("-o", "--output", required=True, type=path, help="The pack's folder.")
@set_option
@answers
def index_(sources: tuple[Path, ...], output: Path, assignments: tuple[str, ...]) -> Answers:
    """Make the pack hold exactly the items of SOURCES. SOURCES are .json and .jsonl files, or folders of
    them. When you run it again, only changes are embedded. Invalid items are left out and listed."""
    from ..packs.pack import index_packs

    with _embedder(assignments) as embedder, progress_bars() as progress:
        report = index_packs(sources, output, embedder=embedder, progress=progress)
    yield report, _report(report, output)


@packs.command()
@click.argument("pack", type=path)
@click.argument("query")
@click.option("-k", type=click.IntRange(1, 1000), default=5, show_default=True, help="How many items.")
@_filters
@set_option
@answers
def search(pack: Path, query: str, k: int, assignments: tuple[str, ...], **chosen: Any) -> Answers:
    """Find items of PACK for QUERY."""
    from ..packs.pack import Pack

    with _embedder(assignments) as embedder:
        found = Pack(pack, embedder=embedder).search(query, k, **_filter(**chosen))
    yield found, _found(found)


@packs.command()
@click.argument("pack", type=path)
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
@answers
def ask(
    pack: Path,
    question: str | None,
    k: int,
    model: bool | None,
    talk: str | None,
    assignments: tuple[str, ...],
    **chosen: Any,
) -> Answers:
    """Answer QUESTION from PACK's items, with quotes, or not at all. The answer is in the items' own
    sentences, or from the language model, checked against them. Without QUESTION it reads questions from
    stdin, one per line, as a conversation."""
    from ..core.files.plain_json import plain
    from ..packs.asking import ask as ask_pack

    how = _filter(**chosen)
    with _talking_to(pack, assignments, talk, how["as_of"], model) as (opened, generator, history):
        for one in map(str.strip, filter(str.strip, sys.stdin) if question is None else [question]):
            found = ask_pack(opened, one, k=k, history=history, generator=generator, **how)
            history.append((one, found.text))
            names = ("told", "model", "supported", "notices")
            facts = {"answer": found.text, "citations": plain(found.citations)}
            yield facts | {name: getattr(found, name) for name in names}, _said(found)


@packs.command()
@click.argument("pack", type=path)
@click.argument("said")
@click.option("-n", "--count", type=click.IntRange(1, 10), default=3, show_default=True, help="How many.")
@click.option("--style", default="", metavar="WORDS", help="How they should sound.")
@click.option("--twist", default="", metavar="WORDS", help="What they should bring up.")
@click.option("--in", "spoken", default="", metavar="LANGUAGE", help="The language to write in, e.g. de.")
@_talking
@_filters
@set_option
@answers
def suggest(
    pack: Path,
    said: str,
    count: int,
    style: str,
    twist: str,
    spoken: str,
    talk: str | None,
    assignments: tuple[str, ...],
    **chosen: Any,
) -> Answers:
    """Let the language model suggest what to say after SAID. It uses the items of PACK that fit the whole
    conversation."""
    from ..config import load_config
    from ..packs.asking import suggest as suggest_next
    from ..project.factories import require_own_model

    wishes = load_config({"wishes": {"style": style, "twist": twist, "language": spoken}}).wishes
    require_own_model(load_config(assignments=assignments), "suggestions are made")
    how = _filter(**chosen)
    with _talking_to(pack, assignments, talk, how["as_of"], model=True) as (opened, model, history):
        found = suggest_next(opened, said, model, count=count, wishes=wishes, history=history, **how)
        history.append((said, ""))
    yield found, _suggested(found)


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

    with closing(make_embedder(load_config(assignments=assignments))) as embedder:
        yield embedder


@contextmanager
def _talking_to(
    folder: Path, assignments: tuple[str, ...], talk: str | None, as_of: int | None, model: bool | None
) -> Iterator[tuple[Pack, Any, list[tuple[str, str]]]]:
    """The pack, the language model or None, and the turns of the conversation; those that are put behind them
    are kept."""
    from ..config import load_config
    from ..packs.asking import conversation, keep_turns, writer
    from ..packs.pack import Pack

    config = load_config(assignments=assignments)
    writes = config.model_answers if model is None else model
    with ExitStack() as open_, _embedder(assignments) as embedder:
        pack = Pack(folder, embedder=embedder)
        before = conversation(folder, talk, as_of=as_of) if talk else []
        turns = list(before)
        yield pack, open_.enter_context(closing(writer(config, folder))) if writes else None, turns
        if talk:
            keep_turns(folder, talk, turns[len(before) :], as_of=as_of)


def _filter(
    *, tags: tuple[str, ...], language: str, section: str, also_inactive: bool, as_of: int | None
) -> dict[str, Any]:
    """The values of ``_filters``' options, as a pack's functions take them."""
    from ..errors import UsageError
    from ..packs.items import Wanted

    pairs = []
    for one in tags:
        name, equals, value = one.partition("=")
        if not (name and equals and value):
            raise UsageError(f"--tag is NAME=VALUE, not {one!r} (a tag of a plain list is tag={one})")
        pairs.append((name, value))
    return {"wanted": Wanted(tuple(pairs), language, section, also_inactive), "as_of": as_of}


def _report(report: PackReport, folder: Path) -> str:
    said = f"{report.items:,} items in {folder} ({report.texts:,} texts, {report.embedded:,} embedded anew)"
    lines = [said if report.changed else f"{said}: nothing changed"]
    if report.skipped:
        lines.append(f"left out: {len(report.skipped):,}")
        lines += [f"  {one.file}  {one.id}: {one.reason}" for one in report.skipped[:_SHOWN]]
        if len(report.skipped) > _SHOWN:
            lines.append(f"  and {len(report.skipped) - _SHOWN:,} more: --json lists all")
    return "\n".join(lines)


def _found(found: tuple[Found, ...]) -> str:
    lines: list[str] = []
    for number, one in enumerate(found, start=1):
        e = one.entry
        tags = [f"{name}={value}" for name, value in e.tags]
        where = ", ".join([*e.where, *tags, *([] if e.active else ["not active"])])
        lines += [f"{number}. {e.key}{f' ({where})' if where else ''}", f"   {e.text}", ""]
    return "\n".join(lines).rstrip() or "nothing found"


def _said(found: Answered) -> str:
    quotes = [f"  [{one.label}] {one.quote}" for one in found.citations]
    return "\n".join([found.text, *quotes, *found.notices])


def _suggested(found: PackSuggestions) -> str:
    lines = [f"{number}. {one}" for number, one in enumerate(found.items, start=1)]
    return "\n".join([*lines, f"by {', '.join(one.entry.key for one in found.sources)}", *found.notices])
