"""A novel of twelve chapters, made up by rule, and what a reader knows of it, without any parser."""

import re

from fabula.core.types import Chapter, Document, Evidence, Horizon, Span
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph, StoryView
from fabula.story.model.types import EntityKind, EntityMention, PresenceTold, StoryLog

CAST = {"Anna": "f", "Mr. Hale": "m", "Robert": "m", "Mrs. Dixon": "f"}
_DEED = {
    "f": "{} went up to the window and looked out over the wet garden, where nothing moved, and she thought "
    "of the long road and of all that had been said there in the spring of the year.",
    "m": "{} came back from the farm before it was dark, and he hung his coat behind the door and stood "
    "there, as he did every evening, until the clock on the landing struck the hour.",
}
_TALK = '"It will rain," said Anna. "It always does at the farm, Robert\'s or another\'s."'
_MINE = (
    "I saw them go, and I had nothing to say; I was twenty miles from home, and I knew that it was I who had "
    "come there to be told, and not they."
)
_RAIN = (
    "The rain fell upon the house and the farm, and the road was empty as far as the hill, where a cart had "
    "stood since the morning with nobody near it, and so the day went."
)


def novel(*, first_person: bool = False, chapters: int = 12, leaving: bool = True) -> Document:
    """Every chapter names all four and has speech; Pell the clerk is there up to chapter 5 only."""
    text, spans = "", []
    for number in range(1, chapters + 1):
        start = len(text)
        text += f"CHAPTER {number}\n\n"
        body = len(text)
        blocks = []
        for _ in range(4):
            for name, gender in CAST.items():
                blocks.append(_DEED[gender].format(name))
            if leaving and number <= 5:
                blocks.append(_DEED["m"].format("Pell"))
            blocks.append(_TALK)
            if first_person:
                blocks.append(_MINE)
            blocks.append(_RAIN)
        text += "\n\n".join(_lines(block) for block in blocks) + "\n\n"
        spans.append(Chapter(number, f"CHAPTER {number}", Span(start, body - 2), Span(body, len(text))))
    return Document("novel", "Novel", text, tuple(spans))


def _lines(block: str) -> str:
    lines, line = [], ""
    for word in block.split():
        if len(line) + len(word) > 68:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return "\n".join([*lines, line])


def view_of(document: Document) -> StoryView:
    """Everybody named is on stage; a narrator, where there is one, has the alias "I"."""
    mentions, presences = [], []
    names = {**CAST, "Pell": "m"}
    for chapter in document.chapters:
        body = chapter.body.of(document.text)
        for name, gender in names.items():
            for match in re.finditer(re.escape(name), body):
                span = Span(chapter.body.start + match.start(), chapter.body.start + match.end())
                quote = Evidence.of(document, chapter.number, span)
                mentions.append(
                    EntityMention(_id(name), EntityKind.CHARACTER, name, chapter.number, quote, gender)
                )
            if name in body:
                presences.append(PresenceTold(_id(name), 0, None, chapter.number, quote))
        for match in re.finditer(r"\bI\b", re.sub(r'"[^"]*"', lambda m: " " * len(m[0]), body)):
            span = Span(chapter.body.start + match.start(), chapter.body.start + match.end())
            quote = Evidence.of(document, chapter.number, span)
            mentions.append(EntityMention("the-narrator", EntityKind.CHARACTER, "I", chapter.number, quote))
    mentions.sort(key=lambda mention: mention.evidence.span)
    log = StoryLog(mentions=tuple(mentions), presences=tuple(presences))
    return StoryKnowledgeGraph(log).as_of(Horizon())


def _id(name: str) -> str:
    return name.lower().replace(".", "").replace(" ", "-")
