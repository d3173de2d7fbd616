"""The commands that answer in words: ask, recap."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from ..story.writing.prompts import LENGTHS
from .answering import Answers, answers, on_project
from .options import as_of_option, filters, progress_bars, set_option, wanted

if TYPE_CHECKING:
    from ..engine import Project


@click.command()
@on_project
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
@answers
def ask(
    project: Project,
    question: str | None,
    k: int | None,
    model: bool | None,
    as_of: int | None,
    conversation: str | None,
    conversations: bool,
    show: str | None,
    delete: str | None,
    **chosen: Any,
) -> Answers:
    """Answer QUESTION from PROJECT, with quotes. A request to write gives a scene. Without QUESTION it reads
    questions from stdin, one per line, as a conversation."""
    from ..views.text.so_far import answered_facts, answered_text

    if sum((question is not None, conversations, show is not None, delete is not None)) > 1:
        raise click.UsageError("give only one of QUESTION, --conversations, --show or --delete")
    if conversations or show or delete:
        yield _kept(project, show, delete, as_of)
        return
    history: list[tuple[str, str]] = []
    lines = filter(None, map(str.strip, sys.stdin)) if question is None else [question]
    for line in lines:
        with progress_bars(asks=False):
            found = project.ask(
                line,
                k=k,
                as_of=as_of,
                wanted=wanted(**chosen),
                history=() if conversation else history,
                conversation=conversation,
                model=model,
            )
        history.append((found.question, found.text))
        yield answered_facts(found), answered_text(found) + ("\n" if question is None else "")


def _kept(project: Project, show: str | None, delete: str | None, as_of: int | None) -> tuple[object, str]:
    from ..views.text import kept as views
    from ..views.text.render import counted

    kept, horizon = project.conversations, project.horizon(as_of)
    if delete:
        removed = kept.delete(delete)
        said = f"deleted {delete}: {counted(removed, 'question')}" if removed else f"no conversation {delete}"
        return {"id": delete, "turns": removed}, said
    if show:
        shown = views.ConversationShown(show, kept.turns(show, horizon=horizon))
        return shown, views.conversation_text(shown)
    found = views.ConversationsShown(as_of, tuple(kept.listed(horizon=horizon)))
    return found, views.conversations_text(found)


@click.command()
@on_project
@click.option("--length", type=click.Choice(LENGTHS), default="medium", show_default=True)
@click.option(
    "--model/--no-model",
    default=None,
    help="Let the language model write it, with each sentence checked, or quote the story's own "
    "sentences. By default the model writes if one is connected.",
)
@as_of_option()
@answers
def recap(project: Project, **chosen: Any) -> Answers:
    """Summarise the story of PROJECT so far, with quotes. It says what happened in each chapter."""
    from ..project.asking import recap
    from ..views.text.so_far import recap_shown, recap_text

    with progress_bars() as progress:
        found = recap(project, on_chapter=lambda done, total: progress("read", done, total), **chosen)
    shown = recap_shown(found)
    yield shown, recap_text(shown)
