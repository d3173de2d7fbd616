"""The demo story told otherwise after a chapter, to see what leaks."""

import random

from fabula.core.documents import document_from_text
from fabula.core.text.sentences import sentences

PLANTED = "Quillon Varga murdered the stationmaster and hates everyone who was ever named here"


def rewritten(text, horizon):
    """Every later chapter with its sentences shuffled and a murder planted in it."""
    document = document_from_text(text, id="x", title="x")
    shuffle = random.Random(horizon)
    out = text[: document.chapter(horizon + 1).heading.start]
    for chapter in document.chapters[horizon:]:
        body = chapter.body.of(text)
        told = [span.of(body).strip() for span in sentences(body)]
        shuffle.shuffle(told)
        told.insert(len(told) // 2, f"{PLANTED}.")
        out += f"{chapter.heading.of(text)}\n\n{' '.join(told)}\n\n"
    return out
