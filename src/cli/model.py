"""``fabula model``: which language models are there, and which one writes, reads and answers."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .answering import Answers, answers, on_project, path

if TYPE_CHECKING:
    from ..engine import Project
    from ..llm.connecting.endpoints import Offer
    from ..project.connecting import Tested

_LISTED = 40
_HEAD = ("", "where", "model", "context", "dollars per million tokens")
_NONE = (
    "no server on this machine answers (Ollama, LM Studio, llama.cpp, vLLM, KoboldCpp), and no "
    "variable holds a key (OPENAI_API_KEY, ANTHROPIC_API_KEY, ...): start a server or set a key, "
    "and run this again"
)


@click.group(invoke_without_command=True)
@click.pass_context
def model(ctx: click.Context) -> None:
    """Choose the language model to connect. Servers on this machine are asked
    (Ollama, LM Studio, llama.cpp, vLLM, KoboldCpp), and keys of providers are looked for in the environment;
    nothing is sent to a provider before you choose it. The choice is written into your own settings."""
    if ctx.invoked_subcommand is not None:
        return
    from ..config import load_config
    from ..llm.connecting.endpoints import look
    from ..project.connecting import connected, verdict_on
    from ..project.trust import user_settings

    name = connected(load_config(*user_settings()))
    verdict = verdict_on(name)
    told = f"{name} ({verdict.text if verdict else 'not tested: fabula model test'})"
    _say(f"connected: {told if name else 'none'}")
    offers = look()
    _choose(offers)
    if offers and not sys.stdin.isatty():
        _say(f"\nto connect one: fabula model use {offers[0].name} (or its number)")


@model.command("use")
@click.argument("name")
def use_model(name: str) -> None:
    """Connect NAME. NAME is a model, PROVIDER/MODEL, a provider, or a number from the list; for a server on
    another machine it is MODEL@http://HOST:PORT/v1, or its address alone."""
    from ..llm.connecting.endpoints import look
    from ..project.connecting import find_offer

    _use(find_offer(name, look()))


@model.command("test")
@click.argument("book", required=False, type=path)
@answers
def test_model(book: Path | None) -> Answers:
    """Test whether the connected model is fit to read and to answer. It costs two short requests. With BOOK
    (a file or a project) it also says what reading that costs. The exit code is 1 if the model is fit for
    neither."""
    from ..config import load_config
    from ..core.documents import read_document
    from ..project import connecting
    from ..project.factories import config_of
    from ..project.storage.opening import open_store
    from ..project.trust import user_settings

    document, config = None, load_config(*user_settings())
    if book is not None and book.is_dir():
        config = config_of(book)[0]
        with open_store(book) as store:
            document = store.snapshot().document
    elif book is not None:
        document = read_document(book)
    tested = connecting.test_model(config, document)
    yield tested, _tested_text(tested)
    if not (tested.verdict.reads or tested.verdict.answers):
        raise SystemExit(1)


@model.command("left-out")
@on_project
@answers
def left_out(project: Project) -> Answers:
    """List the statements of the model that were rejected. Each has its reason: a quote
    or a name that is not in the text, or a wrong format."""
    from ..project.checking import left_out

    found = [{"chapter": chapter, **asdict(one)} for chapter, one in left_out(project)]
    lines = (f"ch. {one['chapter']}  {one['reason']}: {one['part']} {one['said']}" for one in found)
    yield {"left_out": found}, "\n".join(lines) or "nothing was left out"


@model.command()
@on_project
@click.option("--prices", type=path, help="A price list (TOML), instead of generator.prices.")
@answers
def usage(project: Project, prices: Path | None) -> Answers:
    """Show how PROJECT used its models and what that cost. It lists calls, tokens and dollars by day (UTC)
    and model."""
    from ..views.text.kept import usage_text

    report = project.usage(prices)
    yield report, usage_text(report)


@model.command("off")
def off_command() -> None:
    """Use no language model from now on."""
    from ..project.connecting import off

    _say(f"no language model is connected now ({off()})")


def _choose(offers: Sequence[Offer]) -> None:
    """Shows them, and asks for one where somebody is there."""
    from ..errors import UsageError
    from ..project.connecting import find_offer
    from ..views.text.render import table

    rows = [(n, *_row(offer)) for n, offer in enumerate(offers[:_LISTED], start=1)]
    _say(table(rows, header=_HEAD, right=(0, 3), rule=False) if rows else _NONE)
    if len(offers) > _LISTED:
        _say(f"and {len(offers) - _LISTED} more: fabula model use {offers[0].kind.named('MODEL')}")
    while offers and sys.stdin.isatty():
        told = click.prompt("\nNumber (Enter: no change)", default="", show_default=False)
        try:
            return _use(find_offer(told.strip(), offers)) if told.strip() else None
        except UsageError as error:
            _say(str(error))
    return None


def _use(offer: Offer) -> None:
    from ..llm.connecting.endpoints import offers_of
    from ..project.connecting import use

    offers = (offer,) if offer.model else offers_of(offer.kind)
    if len(offers) != 1:
        _choose(offers)
        if sys.stdin.isatty():
            return
    config, file = use(offers[0] if len(offers) == 1 else offer)
    unknown = "" if offers[0].context_tokens else " are assumed: set generator.context_tokens"
    tokens = f"{config.generator.context_tokens:,} tokens of context{unknown}"
    _say(f"connected: {config.generator.model} of {offer.kind.title}, {tokens}\n{file}")
    _say("to see what it is fit for: fabula model test")


def _row(offer: Offer) -> tuple[str, ...]:
    if not offer.model:
        return offer.kind.title, f"by {offer.kind.key}; its models are listed when you choose it", "", ""
    context = f"{offer.context_tokens:,} tokens" if offer.context_tokens else "? tokens"
    price = "{:g} in, {:g} out".format(*offer.prices) if offer.prices else ""
    return offer.kind.title, offer.model, context, price


def _tested_text(tested: Tested) -> str:
    from ..views.text.render import plan_text

    lines = [f"{tested.model}: {tested.verdict.text}, {tested.verdict.tokens_per_second:g} tokens a second"]
    for trial in tested.fitness.trials:
        lines.append(f"  {'with' if trial.with_schema else 'without'} a schema: {trial.text}")
    return "\n".join([*lines, *tested.notes, *([plan_text(tested.plan)] if tested.plan else [])])


def _say(text: str) -> None:
    from ..views.text.render import harmless

    click.echo(harmless(text))
