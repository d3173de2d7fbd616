"""A model that answers questions: in plain sentences, which it checks by a table of what is made up."""

import json
import re

from tests.llm.chat_server import answer
from tests.scripted import ScriptedGenerator

from fabula.core.types import Prompt
from fabula.errors import ModelRefused

MADE_UP = ("Napoleon", "Lima", "Pascal", "Moscow", "Peru")
_MARK = re.compile(r"\s*\[(\d+)\]")


def answering(*replies, made_up=MADE_UP, **options):
    """Replies in order: sentences that name sources ("It rained [2]."; without a mark all), JSON as it is, or
    an error to raise; to what is no question as they are. A sentence with a word of ``made_up`` has no
    support."""
    return ScriptedGenerator(replier(*replies, made_up=made_up), **options)


def replier(*replies, made_up=MADE_UP):
    left = list(replies)

    def reply(prompt):
        asked = kind(prompt)
        if asked == "follow_up":
            return '{"question": ""}'
        if asked == "check":
            lines = re.findall(r"^\d+\. \(source.*", prompt.user, re.MULTILINE)
            bad = [any(word in line for word in made_up) for line in lines]
            given = [{"sentence": n, "words": "", "verdict": verdict(b)} for n, b in enumerate(bad, start=1)]
            return json.dumps({"verdicts": given})
        if not left:
            raise ModelRefused("the script holds no more replies")
        said = left.pop(0)
        if isinstance(said, Exception):
            raise said
        plain = asked != "answer" or "{" in said
        return said if plain else as_json(said, re.findall(r"^\[(\d+)\]", prompt.user, re.M))

    return reply


def kind(prompt):
    """Which prompt of an answer it is; empty for any other."""
    starts = {"You answer a": "answer", "You check sent": "check", "You put the last": "follow_up"}
    return next((name for start, name in starts.items() if prompt.system.startswith(start)), "")


def over_http(*replies, made_up=MADE_UP):
    """The same as the script of a ChatServer, each time from the first reply on."""

    def script(body):
        system, user = (one["content"] for one in body["messages"])
        return answer(replier(*replies, made_up=made_up)(Prompt(system, user, "")))

    return script


def verdict(bad):
    return "not supported" if bad else "supported"


def as_json(said, every):
    """Plain sentences as a model's answer."""
    parts = [part for part in re.split(r"(?<=[.!?\]])\s+(?!\[)", said) if part.strip()]
    sentences = [
        {"says": _MARK.sub("", part), "sources": [int(n) for n in _MARK.findall(part) or every]}
        for part in parts
    ]
    return json.dumps({"sentences": sentences, "unanswered": False, "search": []})


def prompts_of(generator, wanted="answer"):
    """The prompts of one kind, in order."""
    return [one for one in generator.prompts if kind(one) == wanted]
