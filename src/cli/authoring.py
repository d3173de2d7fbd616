"""Commands by which who works with a project has the last word: codex, correct, trust, accept, suggest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..story.writing.prompts import FORMS
from .answering import Answers, answers, on_project, path
from .options import as_of_option, confirm_model, open_project, progress_bars, project_argument, set_option

if TYPE_CHECKING:
    from ..engine import Project
    from ..project.accepting import Accepted
    from ..project.correcting import Corrected, Workshop
    from ..story.model.findings import Violation

_since = click.option(
    "--from", "since", type=click.IntRange(1), metavar="N", help="Applies from chapter N on."
)
_RETYPES = click.Choice(["character", "group", "location", "object"])


@click.group()
def codex() -> None:
    """Read an author's own facts in YAML or JSON. They are characters, places, rules and facts."""


@codex.command()
@click.argument("file", type=path)
@answers
def check(file: Path) -> Answers:
    """Check FILE and summarise its contents. Problems come with their line. FILE may also be a project of
    novelWriter or Manuskript: its notes are the codex."""
    from ..project.factories import read_codex

    found = read_codex(file)
    log, named = found.log, len({mention.entity for mention in found.log.mentions})
    yield (
        {"log": log, "rules": found.rules},
        f"{found.document.title}: characters, places and things: {named}; names: {len(log.mentions)}; "
        f"facts: {len(log.relations) + len(log.events)}; rules: {len(found.rules)}",
    )


@click.group()
def correct() -> None:
    """Correct who is who where it was misread. Corrections are permanent: they survive every new index.

    WHO is a name as the text writes it, or as displayed. Corrections are kept in PROJECT's corrections.toml;
    after editing it by hand use apply.
    """


@correct.command("list")
@on_project
@as_of_option()
@answers
def list_(project: Project, as_of: int | None) -> Answers:
    """Show PROJECT's corrections in order, each with its id."""
    from ..project.correcting import corrections_at
    from ..views.corrections import correction_shown

    found = corrections_at(project, as_of)
    text = "\n".join(f"{one.id}  {one.words}" for one in found) or "no corrections"
    yield list(map(correction_shown, found)), text


@correct.command()
@project_argument
@click.argument("who")
@click.argument("into")
@answers
def merge(project: Path, who: str, into: str) -> Answers:
    """Say that WHO and INTO are the same. Use it if one person was read as two."""
    yield _add(project, "merge", who, into=(into,))


@correct.command()
@project_argument
@click.argument("who")
@click.argument("names", nargs=-1, required=True)
@click.option("--into", metavar="B", help="The other person, if the story has them under another name.")
@_since
@answers
def split(project: Path, who: str, names: tuple[str, ...], into: str | None, since: int | None) -> Answers:
    """Say that these NAMES of WHO belong to somebody else. A father and his son, for example."""
    yield _add(project, "split", who, names=names, into=(into,) if into else (), from_chapter=since)


@correct.command()
@project_argument
@click.argument("who")
@click.argument("name")
@_since
@answers
def rename(project: Path, who: str, name: str, since: int | None) -> Answers:
    """Show WHO as NAME. It applies where the text first uses that name, or from chapter N on."""
    yield _add(project, "rename", who, to=name, from_chapter=since)


@correct.command()
@project_argument
@click.argument("who")
@click.argument("kind", type=_RETYPES)
@answers
def retype(project: Path, who: str, kind: str) -> Answers:
    """Say that WHO is of another KIND. For example, an inn that was read as a character."""
    yield _add(project, "retype", who, to=kind)


@correct.command("not-a-character")
@project_argument
@click.argument("who")
@answers
def not_a_character(project: Path, who: str) -> Answers:
    """Say that WHO is not a character: it is no longer shown."""
    yield _add(project, "not_a_character", who)


@correct.command()
@project_argument
@click.argument("id", required=False)
@answers
def undo(project: Path, id: str | None) -> Answers:
    """Undo the correction with this ID, or the last one. `list` shows the ids."""
    yield _change(project, lambda workshop: workshop.undo(id), "taken back")


@correct.command()
@project_argument
@answers
def apply(project: Path) -> Answers:
    """Apply corrections.toml after you edited it by hand."""
    yield _change(project, lambda workshop: workshop.apply(), "")


def _add(project: Path, kind: str, who: str, **how: Any) -> tuple[object, str]:
    from ..story.corrections import Correction

    made = Correction(kind, (who,), **how)
    return _change(project, lambda workshop: workshop.add(made), "corrected")


def _change(project: Path, act: Callable[[Workshop], Corrected], said: str) -> tuple[object, str]:
    from ..project.correcting import Workshop
    from ..views.corrections import corrected_shown, corrected_text

    with progress_bars() as progress:
        done = act(Workshop(project, progress=progress))
    return corrected_shown(done), corrected_text(done, said)


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@answers
def trust(folder: Path) -> Answers:
    """Confirm what FOLDER's own settings and index ask for. FOLDER is a project or a library. You confirm
    which model is used, where, with which key, and what is loaded. Later changes must be confirmed again."""
    from ..project.creating import confirm_all

    confirmed = confirm_all(folder)
    lines = [f"{name} = {value!r}" for name, value in confirmed.items()]
    text = "\n".join((f"confirmed for {folder}:", *lines)) if lines else f"{folder} asks for nothing"
    yield confirmed, text


@click.command()
@click.argument("project", type=path)
@click.argument("draft", required=False, type=path)
@click.option("--title", default="", help="The chapter's title; by default the draft's heading.")
@click.option("--after", type=click.IntRange(1), metavar="N", help="Refuse unless chapter N is the last one.")
@click.option("--take-back", is_flag=True, help="Remove the last accepted chapter from the book again.")
@click.option("--yes", is_flag=True, help="Use a language model without confirmation.")
@answers
def accept(project: Path, draft: Path | None, take_back: bool, yes: bool, **chosen: Any) -> Answers:
    """Make a draft the next chapter of PROJECT's book. DRAFT is a file, or - for stdin; it is added to the
    book's text, index and story graph. Only that chapter is read, and the critic's findings are shown.
    PROJECT keeps the book in its folder book/."""
    from ..core.documents import read_document
    from ..core.files.plain_json import plain
    from ..project.accepting import Desk

    if (draft is None) != take_back:
        raise click.UsageError("give a DRAFT to accept, or --take-back alone")
    with progress_bars() as progress:
        desk = Desk(project, progress=progress, confirm=lambda plan: confirm_model(plan, yes=yes))
        text = read_document(draft).text if draft is not None else ""
        found = _counted(project, text) if draft is not None else ()
        done = desk.take_back() if take_back else desk.accept(text, **chosen)
    facts: dict[str, Any] = {**plain(done), "findings": [one.message for one in found]}
    yield facts, _text(done, found, taken_back=take_back)


def _counted(project: Path, draft: str) -> tuple[Violation, ...]:
    """What counts of what the critic finds in the draft, set after the book."""
    with open_project(project) as opened:
        return opened.check(draft=draft).counted if draft.strip() else ()


def _text(done: Accepted, found: Sequence[Violation], *, taken_back: bool) -> str:
    from ..views.text.render import counted, wrapped

    seconds = sum(done.report.seconds.values())
    said = "taken back" if taken_back else "accepted"
    worked = f"{counted(done.report.embedded, 'chapter')} embedded, {done.report.read} read"
    if taken_back and not (done.report.embedded or done.report.read):
        worked = "it is gone from the index and the story graph"
    lines = [wrapped(f"to look at: {one.message}", indent="  ") for one in found]
    return (
        f"{said}: {done.title} (chapter {done.number}, {done.words:,} words)\n"
        f"{worked}, {seconds:.1f} s\n"
        f"the book of {counted(done.report.chapters, 'chapter')} is in {done.file}"
    ) + "".join(f"\n{line}" for line in lines)


@click.command()
@on_project
@click.argument("wish", required=False, default="")
@click.option("-n", "--count", type=click.IntRange(1, 10), default=3, show_default=True, help="How many.")
@click.option(
    "--form",
    type=click.Choice(FORMS),
    default="line",
    show_default=True,
    help="What each suggestion is: a sentence, a list of its beats, or a passage.",
)
@as_of_option("After chapter N: use nothing from later chapters (BOOK:N in a series).")
@set_option
@answers
def suggest(project: Project, wish: str, **chosen: Any) -> Answers:
    """Let the language model suggest how PROJECT could continue. It follows your WISH and the settings
    [wishes]. Each suggestion is checked against the story so far."""
    from ..project.accepting import suggest
    from ..views.text.memories import suggestions_text

    found = suggest(project, wish, **chosen)
    yield found, suggestions_text(found)
