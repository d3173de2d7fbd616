"""What a log holds, and how two logs compare."""

from dataclasses import fields

from fabula.story.model.types import StoryLog


def all_evidence(log):
    for field in fields(StoryLog):
        for told in getattr(log, field.name):
            yield from told.evidence if isinstance(told.evidence, tuple) else (told.evidence,)


def is_prefix(part, whole):
    return all(
        getattr(whole, field.name)[: len(getattr(part, field.name))] == getattr(part, field.name)
        for field in fields(StoryLog)
    )


def cut(log, chapter):
    """What of it is told by then."""
    return StoryLog(*(tuple(t for t in getattr(log, f.name) if t.told <= chapter) for f in fields(StoryLog)))
