"""The command for portraits and maps: pictures."""

from __future__ import annotations

from pathlib import Path

import click

from .options import answer, as_of_option, json_option, open_project, project_argument, set_option

_file = click.Path(path_type=Path)


@click.command()
@project_argument
@click.option("--add", type=_file, metavar="FILE", help="Add this picture, or change its caption and names.")
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
@click.option("--save", type=_file, metavar="FOLDER", help="Copy the listed pictures into this folder.")
@set_option
@as_of_option()
@json_option
def pictures(
    project: Path,
    add: Path | None,
    of: tuple[str, ...],
    caption: str,
    from_chapter: int,
    remove: str | None,
    save: Path | None,
    assignments: tuple[str, ...],
    as_of: int | None,
    as_json: bool,
) -> None:
    """List the portraits and maps of PROJECT, or change them. It lists those that a reader at chapter N may
    see; options add or remove one."""
    from ..core.files.atomic import replace_file
    from ..core.formats.converting import image_file
    from ..errors import UsageError
    from ..project.pictures import add_picture, picture_data, pictures_at, remove_picture
    from ..views.text.memories import picture_shown, pictures_text

    if add is not None and remove is not None:
        raise UsageError("give only one of --add or --remove")
    if add is None and (of or caption or from_chapter):
        raise UsageError("--of, --caption and --from-chapter describe the picture of --add: give it too")
    with open_project(project, assignments) as opened:
        if add is not None:
            add_picture(opened, image_file(add), add.name, of=of, caption=caption, from_chapter=from_chapter)
        if remove is not None:
            remove_picture(opened.folder, remove)
        shown = pictures_at(opened, as_of)
        if save is not None:
            for one in shown:
                replace_file(save / one.picture.file, picture_data(opened, one.picture.id, as_of)[1])
    answer(as_json, [picture_shown(one) for one in shown], lambda: pictures_text(shown))
