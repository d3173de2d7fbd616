"""The command that shows a page of a PDF with words highlighted."""

from __future__ import annotations

from pathlib import Path

import click

from ..options import answer, as_of_option, open_project

__all__ = ["page"]


@click.command()
@click.argument("project", is_eager=True, type=click.Path(path_type=Path))
@click.argument("words", metavar="PASSAGE_OR_QUOTE")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The PNG file to write.")
@click.option(
    "--page", "number", type=click.IntRange(1), help="Which page, where the words run over several."
)
@as_of_option()
@click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")
def page(
    project: Path, words: str, output: Path, number: int | None, as_of: int | None, as_json: bool
) -> None:
    """Draw the page of PROJECT's PDF on which words stand. They are highlighted: those of a passage (its id,
    from search --json) or of a quote."""
    from ...core.files.atomic import replace_file
    from ...core.formats.pdf.places import in_words

    with open_project(project) as opened:
        picture = opened.page(words, page=number, as_of=as_of)
    replace_file(output, picture.png)
    facts = {"page": picture.page, "places": picture.places, "quote": picture.quote, "file": output}
    text = f"{in_words(picture.places)}\npage {picture.page}: {output}"
    answer(as_json, facts, lambda: text)
