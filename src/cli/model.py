"""``fabula model``: which language models are there, and which one writes, reads and answers."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import answer, json_option

if TYPE_CHECKING:
    from ..llm.connecting.endpoints import Offer
    from ..project.connecting import Tested

_LISTED = 40
_HEAD = ("", "where", "model", "context", "price")


@click.group(invoke_without_command=True)
@click.pass_context
def model(ctx: click.Context) -> None:
    """Connect a language model: look, and choose one by its number. Servers on this machine are asked
    (Ollama, LM Studio, llama.cpp, vLLM, KoboldCpp), and keys of providers are looked for in the environment;
    nothing is sent to a provider before you choose it. The choice is written into your own settings."""
    if ctx.invoked_subcommand is not None:
        return
    from ..llm.connecting.endpoints import look

    _say(_connected_text())
    offers = look()
    _say(_offers_text(offers))
    if not offers:
        return
    if sys.stdin.isatty():
        _choose(offers)
    else:
        _say(f"\nto connect one: fabula model use {offers[0].name} (or its number)")


@model.command("use")
@click.argument("name")
def use_model(name: str) -> None:
    """Connect NAME: a model, PROVIDER/MODEL, a provider, or a number of the list."""
    from ..llm.connecting.endpoints import look
    from ..project.connecting import find_offer

    _use(find_offer(name, look()))


@model.command("test")
@click.argument("book", required=False, type=click.Path(path_type=Path))
@json_option
def test_command(book: Path | None, as_json: bool) -> None:
    """Test the connected model: is it fit to read chapters, to answer? It costs two short requests. With BOOK
    (a file or a project) it says what reading that costs. Exit code 1 where it is fit for neither."""
    from ..config import load_config
    from ..project.connecting import test_model
    from ..project.factories import config_of
    from ..project.trust import user_settings

    document = _document(book) if book is not None else None
    project = book if book is not None and book.is_dir() else None
    config = config_of(project)[0] if project else load_config(*user_settings())
    tested = test_model(config, document)
    answer(as_json, tested, lambda: _tested_text(tested))
    if not (tested.verdict.reads or tested.verdict.answers):
        raise SystemExit(1)


@model.command("off")
def off_command() -> None:
    """Use no language model from now on."""
    from ..project.connecting import off

    _say(f"no language model is connected now ({off()})")


def _choose(offers: Sequence[Offer]) -> None:
    from ..errors import UsageError
    from ..project.connecting import find_offer

    while True:
        told = click.prompt("\nNumber (Enter: leave it as it is)", default="", show_default=False).strip()
        if not told:
            return
        try:
            chosen = find_offer(told, offers)
        except UsageError as error:
            _say(str(error))
            continue
        _use(chosen)
        return


def _use(offer: Offer) -> None:
    from ..llm.connecting.endpoints import offers_of
    from ..project.connecting import use

    if not offer.model:
        of = offers_of(offer.kind)
        if len(of) == 1:
            offer = of[0]
        else:
            _say(_offers_text(of))
            if sys.stdin.isatty():
                _choose(of)
                return
    config, file = use(offer)
    tokens = f"{config.generator.context_tokens:,} tokens of context"
    unknown = "" if offer.context_tokens else " are assumed: set generator.context_tokens"
    _say(f"connected: {offer.model} of {offer.kind.title}, {tokens}{unknown}\n{file}")
    _say("to see what it is fit for: fabula model test")


def _say(text: str) -> None:
    from ..views.text.render import harmless

    click.echo(harmless(text))


def _connected_text() -> str:
    from ..config import load_config
    from ..project.connecting import connected, verdict_on
    from ..project.trust import user_settings

    name = connected(load_config(*user_settings()))
    verdict = verdict_on(name)
    told = verdict.text if verdict else "not tested: fabula model test"
    return f"connected: {name} ({told})" if name else "connected: none"


def _offers_text(offers: Sequence[Offer]) -> str:
    from ..views.text.render import harmless, table

    if not offers:
        return (
            "no server on this machine answers (Ollama, LM Studio, llama.cpp, vLLM, KoboldCpp), and no "
            "variable holds a key (OPENAI_API_KEY, ANTHROPIC_API_KEY, ...): start one, or set one, and run "
            "this again"
        )
    rows = [(str(n), *_row(offer)) for n, offer in enumerate(offers[:_LISTED], start=1)]
    more = len(offers) - len(rows)
    text = table([tuple(map(harmless, row)) for row in rows], header=_HEAD, right=(0, 3), rule=False)
    return text + (f"\nand {more} more: fabula model use {offers[0].kind.name}/MODEL" if more else "")


def _row(offer: Offer) -> tuple[str, ...]:
    if not offer.model:
        return offer.kind.title, f"by {offer.kind.key}; its models are shown when you choose it", "", ""
    context = f"{offer.context_tokens:,} tokens" if offer.context_tokens else "? tokens"
    price = "{:g} in, {:g} out: dollars a million tokens".format(*offer.prices) if offer.prices else ""
    return offer.kind.title, offer.model, context, price


def _tested_text(tested: Tested) -> str:
    from ..views.text.render import plan_text

    lines = [f"{tested.model}: {tested.verdict.text}, {tested.verdict.tokens_per_second:g} tokens a second"]
    for trial in tested.fitness.trials:
        lines.append(f"  {'with' if trial.with_schema else 'without'} a schema: {trial.text}")
    lines += tested.notes
    return "\n".join([*lines, *([plan_text(tested.plan)] if tested.plan else [])])


def _document(book: Path) -> Any:
    from ..core.documents import read_document
    from ..project.storage.opening import open_store

    if not book.is_dir():
        return read_document(book)
    with open_store(book) as store:
        return store.snapshot().document
