"""The command for portraits and maps: pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .answering import Answers, answers, on_project, path
from .options import as_of_option, set_option

if TYPE_CHECKING:
    from ..engine import Project


@click.command()
@on_project
@click.option("--add", type=path, metavar="FILE", help="Add this picture, or change its caption and names.")
@click.option("--of", multiple=True, metavar="NAME", help="With --add: who or what it shows (repeatable).")
@click.option("--caption", default="", help="With --add: the caption, searched by memories.")
@click.option(
    "--from-chapter",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="With --add: visible from this chapter on; by default once the reader knows everybody in it.",
)
@click.option("--remove", metavar="ID", help="Remove this picture.")
@click.option("--save", type=path, metavar="FOLDER", help="Copy the listed pictures into this folder.")
@set_option
@as_of_option()
@answers
def pictures(
    project: Project,
    add: Path | None,
    remove: str | None,
    save: Path | None,
    as_of: int | None,
    **said: Any,
) -> Answers:
    """List the portraits and maps of PROJECT, or change them. It lists those that a reader at chapter N may
    see; options add or remove one."""
    from ..core.files.atomic import replace_file
    from ..core.formats.converting import image_file
    from ..errors import UsageError
    from ..project.pictures import add_picture, picture_data, pictures_at, remove_picture
    from ..views.text.memories import picture_shown, pictures_text

    if add is not None and remove is not None:
        raise UsageError("give only one of --add or --remove")
    if add is None and any(said.values()):
        raise UsageError("--of, --caption and --from-chapter describe the picture of --add: give it too")
    if add is not None:
        add_picture(project, image_file(add), add.name, **said)
    if remove is not None:
        remove_picture(project.folder, remove)
    shown = pictures_at(project, as_of)
    if save is not None:
        for one in shown:
            replace_file(save / one.picture.file, picture_data(project, one.picture.id, as_of)[1])
    yield [picture_shown(one) for one in shown], pictures_text(shown)
