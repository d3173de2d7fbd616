"""The commands that answer in words: ask, recap."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..story.writing.prompts import LENGTHS
from .options import (
    answer,
    as_of_option,
    filters,
    json_option,
    open_project,
    progress_bars,
    project_argument,
    set_option,
    wanted,
)

if TYPE_CHECKING:
    from ..core.answering.answered import Answered
    from ..engine import Project
    from ..story.writing.prompts import Length


@click.command()
@project_argument
@click.argument("question", required=False)
@click.option("-k", type=click.IntRange(1, 1000), help="How many passages to answer from.")
@click.option(
    "--model/--no-model",
    default=None,
    help="Let the language model write the answer, or answer in the story's own sentences: quick, and "
    "nothing is invented. By default the model writes if one is connected.",
)
@filters
@as_of_option()
@click.option(
    "--conversation",
    metavar="ID",
    help="Continue or begin the conversation with this id. Earlier questions explain “he” or “and "
    "then?”, and the question is kept.",
)
@click.option("--conversations", is_flag=True, help="List kept conversations.")
@click.option("--show", metavar="ID", help="Show the questions and answers of a conversation.")
@click.option("--delete", metavar="ID", help="Delete a conversation and overwrite its data.")
@set_option
@json_option
def ask(
    project: Path,
    question: str | None,
    k: int | None,
    model: bool | None,
    as_of: int | None,
    conversation: str | None,
    conversations: bool,
    show: str | None,
    delete: str | None,
    assignments: tuple[str, ...],
    as_json: bool,
    **chosen: Any,
) -> None:
    """Answer QUESTION from PROJECT, with quotes. A request to write gives a scene. Without QUESTION it reads
    questions from stdin, one per line, as a conversation."""
    from ..views.text.so_far import answered_facts, answered_text

    if sum((question is not None, conversations, show is not None, delete is not None)) > 1:
        raise click.UsageError("give only one of QUESTION, --conversations, --show or --delete")
    history: list[tuple[str, str]] = []
    with open_project(project, assignments) as opened:
        if conversations or show or delete:
            _kept(opened, show, delete, as_of, as_json)
            return

        def put(asked: str) -> Answered:
            return opened.ask(
                asked,
                k=k,
                as_of=as_of,
                wanted=wanted(**chosen),
                history=() if conversation else history,
                conversation=conversation,
                model=model,
            )

        if question is not None:
            found = put(question)
            answer(as_json, answered_facts(found), lambda: answered_text(found))
            return
        for line in sys.stdin:
            if line.strip():
                said = put(line.strip())
                history.append((said.question, said.text))
                answer(as_json, answered_facts(said), lambda said=said: f"{answered_text(said)}\n")  # type: ignore[misc]


def _kept(project: Project, show: str | None, delete: str | None, as_of: int | None, as_json: bool) -> None:
    from ..views.text import kept as views

    kept, horizon = project.conversations, project.horizon(as_of)
    if delete:
        removed = kept.delete(delete)
        answer(as_json, {"id": delete, "turns": removed}, lambda: views.deleted_text(delete, removed))
    elif show:
        shown = views.conversation_shown(show, kept.turns(show, horizon=horizon))
        answer(as_json, shown, lambda: views.conversation_text(shown))
    else:
        found = views.conversations_shown(kept.listed(horizon=horizon), as_of)
        answer(as_json, found, lambda: views.conversations_text(found))


@click.command()
@project_argument
@click.option("--length", type=click.Choice(LENGTHS), default="medium", show_default=True)
@click.option(
    "--model/--no-model",
    default=None,
    help="Let the language model write it, with each sentence checked, or quote the story's own "
    "sentences. By default the model writes if one is connected.",
)
@as_of_option()
@json_option
def recap(project: Path, length: Length, model: bool | None, as_of: int | None, as_json: bool) -> None:
    """Summarise the story of PROJECT so far, with quotes. It says what happened in each chapter."""
    from ..project.asking import recap
    from ..views.text.so_far import recap_shown, recap_text

    with open_project(project, ()) as opened, progress_bars() as progress:
        found = recap(
            opened,
            length=length,
            as_of=as_of,
            model=model,
            on_chapter=lambda done, total: progress("read", done, total),
        )
    shown = recap_shown(found)
    answer(as_json, shown, lambda: recap_text(shown))
