"""Which nouns a text's sentences hold: what ties one sentence to another."""

from __future__ import annotations

from .chapter import ParsedChapter


def nouns_by_sentence(chapter: ParsedChapter) -> tuple[frozenset[str], ...]:
    """The lemmas of the common nouns, and names as they are written, in lower case, sentence by sentence.

    Of a compound only the head counts ("boat" of "ferry boat"), of a name its last word, so that "Mr. Dove"
    and "Henry Dove" are one.
    """
    found = []
    for paragraph, sentence in chapter.sentences():
        nouns = set()
        for token in paragraph.tokens(sentence):
            if token.pos_ not in ("NOUN", "PROPN") or token.dep_ == "compound":
                continue
            nouns.add(token.lemma_.casefold() if token.pos_ == "NOUN" else token.lower_)
        found.append(frozenset(nouns))
    return tuple(found)
