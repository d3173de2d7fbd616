"""Scenes of a story whose first chapter vouches for everybody."""

from tests.stories.reading import told, with_headings

CAST = "Elena Voss was a doctor. Marcus Hale was a clerk. Mr. Reed was a lawyer. Anna Holt was a nurse. "
VOUCHED = f"{CAST}Elena lived in London. Marcus lived in Paris. Anna lived at Milford Hall.\n\n"


def view_of(*bodies):
    """The view of the story of these chapters, from the second on."""
    return told(with_headings(VOUCHED, *bodies))


def first_name(view, entity):
    return view.name(entity).split()[0]


def stage(body):
    """First names of those on stage."""
    view = view_of(body)
    return {first_name(view, presence.entity) for presence in view.on_stage(2)}
