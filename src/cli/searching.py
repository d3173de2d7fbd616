"""The commands that search: search, memories."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..core.text.encodings import decoded
from ..core.types import RUN_STEP
from ..errors import UsageError
from .answering import Answers, answers, on_project
from .options import as_of_option, filters, open_project, project_argument, refuse_beside, set_option, wanted

if TYPE_CHECKING:
    from ..engine import Project
    from ..library.library import Entry
    from ..story.memories.memory import Collection

_PLACES = 7


@click.command()
@project_argument
@click.argument("query", required=False)
@click.option("-k", type=click.IntRange(1, 1000), help="How many passages.")
@click.option(
    "--mode", type=click.Choice(["hybrid", "semantic", "lexical"]), default="hybrid", show_default=True
)
@click.option("--semantic-weight", type=float, help="0 to 1, instead of the weight chosen for the query.")
@click.option(
    "--least-score",
    type=click.FloatRange(0, 1),
    help="Leave out passages less similar to QUERY (cosine), instead of retrieval.least_score.",
)
@click.option(
    "--read-to",
    type=(str, click.IntRange(0)),
    multiple=True,
    metavar="STORY N",
    help="In a folder of stories: nothing after chapter N of STORY (its folder or its title; repeatable).",
)
@click.option(
    "--impact",
    is_flag=True,
    help="Find where else the story mentions what QUERY says, before you change it. QUERY is copied from the "
    "text (from the first of --chapters).",
)
@click.option(
    "--page",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw the page of PROJECT's PDF with QUERY (a quote or a passage's id) highlighted.",
)
@click.option("--page-number", type=click.IntRange(1), help="With --page: which, if QUERY is on two.")
@click.option(
    "--rate",
    "rating",
    type=(click.IntRange(1), click.FloatRange(0, 1)),
    metavar="N SCORE",
    help="Rate passage N of this search: 0 useless, 1 just right. Later searches learn from it.",
)
@click.option(
    "--topics",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Search for every query in FILE and print a TREC run. A line holds an id, a tab and a query.",
)
@click.option("--ratings", is_flag=True, help="Show the ratings so far.")
@click.option("--forget-ratings", is_flag=True, help="Forget all ratings.")
@filters
@as_of_option()
@set_option
@answers
def search(
    project: Path,
    query: str | None,
    k: int | None,
    mode: str,
    semantic_weight: float | None,
    least_score: float | None,
    read_to: tuple[tuple[str, int], ...],
    impact: bool,
    page: Path | None,
    page_number: int | None,
    rating: tuple[int, float] | None,
    topics: Path | None,
    ratings: bool,
    forget_ratings: bool,
    as_of: int | None,
    assignments: tuple[str, ...],
    **chosen: Any,
) -> Answers:
    """Find passages of PROJECT for QUERY. Each shows how much the parts of the search contributed. If PROJECT
    is a folder of projects, all of its stories are searched, and the best passages come first."""
    from ..library.searching import search_stories, stories_in
    from ..views.text.render import hits_text, search_text
    from .answers import forgotten, rated, ratings_told

    how: dict[str, Any] = {"mode": mode, "semantic_weight": semantic_weight, "least_score": least_score}
    if topics is not None:
        refuse_beside("--topics", "k", "mode", "semantic_weight", "least_score", "as_of", "assignments")
        with open_project(project, assignments) as opened:
            for line in _trec_run(opened, topics, {"k": k, "as_of": as_of, **how}):
                click.echo(line)
        return
    if query is None:
        if not (ratings or forget_ratings):
            raise click.UsageError("say what to search for: QUERY")
        with open_project(project) as opened:
            yield forgotten(opened) if forget_ratings else ratings_told(opened, as_of)
        return
    if stories := stories_in(project):
        if as_of is not None or assignments or wanted(**chosen) is not None:
            raise click.UsageError(
                "in a folder of stories only --read-to filters, by how far you have read each"
            )
        hits = search_stories(stories, _opened, query, k or 5, read_to=dict(read_to), **how)
        yield hits, hits_text(hits)
        return
    if read_to:
        raise click.UsageError("--read-to is for a folder of stories: for one story use --as-of N")
    with open_project(project, assignments) as opened:
        if impact:
            yield _impact(opened, query, k, chosen["chapters"], as_of)
        elif page is not None:
            yield _draw_page(opened, query, page, page_number, as_of)
        elif rating is not None:
            yield rated(opened, query, *rating, k=k, as_of=as_of, wanted=wanted(**chosen))
        else:
            result = opened.search(query, k, as_of=as_of, wanted=wanted(**chosen), **how)
            yield result, search_text(result)


def _trec_run(project: Project, topics: Path, how: dict[str, Any]) -> Iterator[str]:
    """A line a passage: query, Q0, passage, rank from 1, score, name of the run. Raises as ``_topics``."""
    for id, query in _topics(topics).items():
        for rank, one in enumerate(project.search(query, **how).passages, start=1):
            score = f"{one.score - rank * RUN_STEP:.6f}"
            yield f"{id} Q0 {one.chunk.id} {rank} {score} fabula-{how['mode']}"


def _topics(file: Path) -> dict[str, str]:
    """The queries by their ids. Raises UsageError for a file that is not in UTF-8, a line that is no topic,
    and an id that stands twice."""
    try:
        lines = decoded(file.read_bytes()).splitlines()
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not in UTF-8 ({error.reason}): save it so") from None
    found: dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        id, tab, query = line.partition("\t")
        if len(id.split()) != 1 or not (tab and query.strip()):
            wanted = "an id without spaces, a tab and a query"
            raise UsageError(f"{file}, line {number}, is {line!r}: write {wanted}")
        if id.strip() in found:
            raise UsageError(f"{file}, line {number}, has the id {id!r} again: give each query its own")
        found[id.strip()] = query
    return found


def _opened(entry: Entry) -> AbstractContextManager[Project]:
    return open_project(entry.folder)


def _impact(
    project: Project, words: str, k: int | None, chapters: str | None, as_of: int | None
) -> tuple[object, str]:
    from ..project.impact import impact_of
    from ..project.searching import chapter_range
    from ..views.text.places import impact_shown, impact_text

    chapter = chapter_range(chapters)[0] if chapters else None
    shown = impact_shown(impact_of(project, words, chapter=chapter, as_of=as_of, limit=k or _PLACES), as_of)
    return shown, impact_text(shown)


def _draw_page(
    project: Project, words: str, file: Path, number: int | None, as_of: int | None
) -> tuple[object, str]:
    from ..core.files.atomic import replace_file
    from ..core.formats.pdf.places import in_words
    from ..project.page_picture import show_page

    picture = show_page(project, words, page=number, as_of=as_of)
    replace_file(file, picture.png)
    facts = {"page": picture.page, "places": picture.places, "quote": picture.quote, "file": file}
    return facts, f"{in_words(picture.places)}\npage {picture.page}: {file}"


@click.command()
@on_project
@click.argument("query")
@click.option(
    "--in",
    "collections",
    type=click.Choice(["chapters", "characters", "codex", "pictures"]),
    multiple=True,
    help="Only this memory (repeatable).",
)
@click.option("--limit", type=click.IntRange(1, 1000), help="How many of each, instead of [recall].")
@filters
@as_of_option()
@set_option
@answers
def memories(
    project: Project,
    query: str,
    collections: tuple[Collection, ...],
    limit: int | None,
    as_of: int | None,
    **chosen: Any,
) -> Answers:
    """Search the memories of PROJECT for QUERY. They hold passages, character profiles as of chapter N, the
    codex, and captions of pictures."""
    from ..project.recalling import recall
    from ..story.memories.memory import COLLECTIONS
    from ..views.text.memories import recollection_facts, recollection_text

    found = recall(
        project,
        query,
        as_of=as_of,
        collections=collections or COLLECTIONS,
        limit=limit,
        wanted=wanted(**chosen),
    )
    yield recollection_facts(found), recollection_text(found)
