"""Story text in a prompt: a fence that it cannot close, and nothing in it that could pose as the prompt.

Whatever comes from outside (a story, a draft, notes made of them, a conversation so far) passes
:func:`neutralise` before it is put between :data:`OPEN` and :data:`CLOSE`. That keeps the structure of
the prompt out of the text's reach: delimiters, chat turns, roles, section labels and unseen characters. It
does not make a model deaf to plain sentences ("ignore all that"); hence the system prompts say what stands
in the fence, answers are checked against quotes, and no model's answer can do anything but be read.
"""

from __future__ import annotations

import re

GUARD = "guard/3"
"""Part of every prompt's version: what is kept from a model must not outlive a change here."""
OPEN = "<<<STORY"
CLOSE = "STORY>>>"
SECTION_LABELS = (
    "Story So Far",
    "Character Info",
    "World",
    "Previous Scene",
    "Constraints",
    "Draft",
    "Findings",
)

# Unseen characters can hide a delimiter, or a whole message, from a human reader: format and tag characters,
# fillers, variation selectors (Unicode, Default_Ignorable_Code_Point), and characters that turn the writing.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]"
)
_LINE_ENDS = re.compile("\r(?!\n)|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_OPENING = re.compile(r"[<＜﹤]{2,}")  # noqa: RUF001
_CLOSING = re.compile(r"[>＞﹥]{2,}")  # noqa: RUF001
_TURN = re.compile(r"[<＜﹤](?=[|｜])|(?<=[|｜])[>＞﹥]")  # noqa: RUF001
# A fence of look-alikes is none, but a small model may take it for one.
_LOOKALIKE = re.compile(r"(?<=[‹«《≪⟪⟨〈])\s?STORY|STORY(?=\s?[›»》≫⟫⟩〉])")
_LEFT, _RIGHT = r"[\[［【〔]", r"[\]］】〕]"  # noqa: RUF001
_ROLES = r"system|user|assistant|human|developer|tool|model"
_TOKENS = (
    rf"s|bos|eos|pad|unk|mask|start_of_turn|end_of_turn|think|thinking|{_ROLES}|instructions?|prompt|tools"
    r"|tool_calls?|tool_response|function(?:_calls?)?|im_start|im_end|endoftext|fim_\w{1,12}|0x[0-9a-f]{2}"
    r"|extra_id_\d{1,3}"
)
_TAG = re.compile(rf"[<＜﹤]\s{{0,4}}(/?(?:{_TOKENS})\b[^<>\n]{{0,80}}?)[>＞﹥]", re.IGNORECASE)  # noqa: RUF001
_LABELS = "|".join(re.escape(label).replace(r"\ ", r"\s{1,8}") for label in SECTION_LABELS)
_NAMES = (
    rf"INST|SYS|{_ROLES}|instructions?|(?:AVAILABLE_)?TOOLS|TOOL_(?:CALLS|RESULTS)"
    rf"|SYSTEM[ _](?:PROMPT|MESSAGE)|{_LABELS}"
    r"|Source\s{0,8}[:\uff1a][^\[\]\uff3b\uff3d\u3010\u3011\u3014\u3015\n]{0,160}"
    r"|Passage\s{1,8}ch\.[^\[\]［］【】〔〕\n]{0,80}"  # noqa: RUF001
)
_BRACKET = re.compile(rf"{_LEFT}([\s#*:/]{{0,8}}(?:{_NAMES})[\s#*:]{{0,8}}){_RIGHT}", re.IGNORECASE)
_ROLE_LINE = re.compile(
    r"(^|\n)([ \t]*)(?:#{1,6}[ \t]*|\*\*)?"
    r"((?:system|user|assistant|human|developer)(?:[ _](?:prompt|message))?|instructions?)"
    r"(?:\*\*)?[ \t]*[:：](?:\*\*)?",  # noqa: RUF001
    re.IGNORECASE,
)


def neutralise(text: str) -> str:
    """``text`` with nothing left in it that could act as a delimiter, a chat token, a role or a label.

    Runs of two or more angle brackets become single guillemets; chat tokens (``<|…|>``, ``</s>``,
    ``[INST]``), tags of roles and tools, and section labels lose their brackets; a role at a line's start
    (``System:``) is put in brackets; unseen and control characters are dropped, odd line ends become
    newlines. Everything else stays as it is; applying it twice changes nothing more: what one pass lays bare
    (a label around a label) the next one takes.
    """
    while (clean := _one_pass(text)) != text:
        text = clean
    return text


def _one_pass(text: str) -> str:
    text = _LINE_ENDS.sub("\n", _UNSEEN.sub("", text))
    text = _OPENING.sub(lambda match: "‹" * len(match[0]), text)
    text = _CLOSING.sub(lambda match: "›" * len(match[0]), text)
    text = _TURN.sub(lambda match: "‹" if match[0] in "<＜﹤" else "›", text)  # noqa: RUF001
    text = _TAG.sub(r"‹\1›", text)
    text = _LOOKALIKE.sub(lambda match: match[0].replace("STORY", "story"), text)
    text = _BRACKET.sub(r"(\1)", text)
    return _ROLE_LINE.sub(r"\1\2(\3)", text)


def fence(material: str) -> str:
    """The material, each piece of it neutralised already, between the delimiters."""
    return f"{OPEN}\n{material}\n{CLOSE}"


def one_line(text: str) -> str:
    """The text, neutralised, with single blanks."""
    return " ".join(neutralise(text).split())
