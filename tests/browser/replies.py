"""What the model of the browser tests writes: the same words for the same kind of prompt."""

import re

from tests.llm.chat_server import answer

DRAFTS = (
    "Ambrose Keating loved Barnaby Pellow. The lamp burned low on the footplate.",
    "The lamp burned low on the footplate. Harriet said nothing.",
    "Harriet trusted Len. He told her of the day, hour by hour.",
)
_FIRST_SENTENCE = re.compile(r"^\[1\] \([^)\n]*\) (.+?[.!?])(?=\s|$)", re.MULTILINE)


class Replies:
    """Drafts by turns for scenes; for a question the first sentence of its first source."""

    def __init__(self):
        self._turn = 0

    def __call__(self, body):
        asked = body["messages"][-1]["content"]
        found = _FIRST_SENTENCE.search(asked)
        if "Question:" not in asked or found is None:
            self._turn += 1
            return answer(*_words(DRAFTS[self._turn % len(DRAFTS)]))
        return answer(*_words(f"{found[1]} [1]"))


def _words(text):
    return [f"{word} " for word in text.split()]
