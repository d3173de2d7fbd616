"""What the model of the browser tests writes: the same words for the same kind of prompt."""

import re

from tests.llm.chat_server import answer
from tests.stories.answering import kind, replier

from fabula.core.types import Prompt

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
        system, asked = ("", *(one["content"] for one in body["messages"]))[-2:]
        prompt, found = Prompt(system, asked, ""), _FIRST_SENTENCE.search(asked)
        if not kind(prompt):
            self._turn += 1
            return answer(*_words(DRAFTS[self._turn % len(DRAFTS)]))
        return answer(replier(f"{found[1]} [1]" if found else "")(prompt))


def _words(text):
    return [f"{word} " for word in text.split()]
