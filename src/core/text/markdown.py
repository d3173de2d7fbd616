"""Markdown as writers keep it, in Obsidian, Longform or by hand: the story without what is the author's own.

Left out are front matter, comments, embedded files, call-outs, tasks, blocks and fields for programs such as
Dataview, footnotes, struck-out words, names of blocks, and lines of tags; of links, escapes, entities, HTML
and pandoc's attributes stays what a reader sees. Lines are emptied rather than taken away, so that each has
the number that it has in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from typing import Any

_FRONT = re.compile(
    r"\ufeff?---[ \t]*\r?\n(.{0,20000}?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE
)
_KEY = re.compile(r"[\w\"'-][\w \"'-]{0,60}:\s|[\[{&]")
_INLINE = re.compile(
    r"!\[\[[^\[\]\n]{1,500}\]\]|!\[[^\[\]\n]{0,500}\]\([^()\n]{0,1000}\)"  # embedded files
    r"|\[\^[^\]\s]{1,80}\]|\^\[[^\[\]\n]{1,2000}\]"  # notes and their marks
    r"|[ \t]?~~(?=[^\s~])(?:[^~\n]|~(?!~)|\n(?!\s*\n)){1,2000}~~(?!~)"  # struck out
    r"|`\$?=[^`\n]{1,500}`|\[[\w -]{1,40}::[^\[\]\n]{0,500}\]"  # Dataview's expressions and fields
    r"|(?<![ \t])[ \t]+\^[A-Za-z0-9-]{1,80}[ \t]*$",  # names of blocks
    re.MULTILINE,
)
_LINK = re.compile(r"\[\[([^\[\]|\n]{1,500})(?:\|([^\[\]\n]{1,500}))?\]\]")
_MARKED = re.compile(r"==(?=\S)([^=\n]{1,1000})(?<=\S)==")
_SHOWN = re.compile(
    r"`[^`\n]{1,1000}`"  # code, which stays as it is
    r"|\[(?P<text>[^\[\]\n]{1,1000})\](?:\{[#.][^{}\n]{0,300}\}"  # spans
    r"|\((?:[^()\s]|\([^()\s]*\)){0,1000}(?:[ \t]+[\"'][^\n]{0,300}[\"'])?\))"  # links
    r"|(?P<entity>&(?:[A-Za-z]\w{1,30}|#\d{1,7}|#[xX][\dA-Fa-f]{1,6});)"
    r"|(?<=.)\\(?P<escaped>[!-/:-@\[-`{-~])|^\\(?P<first>[^#`~>\w\s])|\\(?=\r?\Z)"
    r"|</?(?P<tag>(?i:a|b|big|br|center|div|em|font|hr|i|p|s|small|span|strong|su[bp]|u))\b[^<>\n]{0,500}>"
    r"|(?<![ \t])[ \t]+\{[#.-][^{}\n]{0,300}\}[ \t]*(?=\r?\Z)"  # attributes
    r"|\A\s*(?::{3,}.*|\\(?:newpage|pagebreak|clearpage)\b.*|(?:#[a-z][\w/-]*[ \t]*)+)(?=\r?\Z)"
)
_TARGET = re.compile(r"^ {0,3}\[([^\[\]^\n]{1,200})\]:[ \t]+<?(?:\w+:/|mailto:|[./#]).*", re.MULTILINE)
_REFERENCE = re.compile(r"(?<=\])\[([^\[\]\n]{1,200})\]")
_CALLOUT = re.compile(r">[> \t]{0,20}\[!")
_NOTE = re.compile(r"\[\^[^\]\s]{1,80}\]:")
_ASIDE = re.compile(r"[-*+] \[.\](?:\s|\Z)|[\w -]{1,40}::(?:\s|\Z)")
_PROGRAM = re.compile(r"\s*[`~]{3,}[ \t]*(?!(?:te?xt|markdown|md|poem|verse)\b)[\w{]")
_OPENING = re.compile(r"[ ]{0,3}(?:(?P<ticks>`{3,})[^`]*|(?P<tildes>~{3,})[ \t]*[^~\s].*)\Z")
_CLOSING = re.compile(r"[ ]{0,3}(`{3,}|~{3,})[ \t]*\Z")


def read_markdown(text: str) -> tuple[Mapping[str, Any], str]:
    """A file's front matter, empty where it has none that can be read, and its story."""
    import yaml

    found = _FRONT.match(text)
    if not found:
        return {}, story_markdown(text)
    try:
        front = yaml.safe_load(found[1])
    except (yaml.YAMLError, ValueError, RecursionError):
        front = {} if _KEY.match(found[1]) else None
    if not isinstance(front, dict):  # a line that parts scenes
        return {}, story_markdown(text)
    return front, "\n" * found[0].count("\n") + story_markdown(text[found.end() :])


def story_markdown(text: str) -> str:
    """The story in a text without front matter; code without a language stays as it is."""
    for opening, closing in (("%%", "%%"), ("<!--", "-->")):
        text = without_between(text, opening, closing)
    text = _INLINE.sub(lambda found: "\n" * found[0].count("\n"), _without_asides(text))
    text = _LINK.sub(_shown, text)
    targets = {found[1] for found in _TARGET.finditer(text)}
    text = _REFERENCE.sub(lambda found: "(#)" if found[1] in targets else found[0], text)
    return _as_shown(_MARKED.sub(r"\1", _TARGET.sub("", text)))


def _as_shown(text: str) -> str:
    """The text as its mark-up shows it, code and emphasis as they are."""
    lines = text.split("\n")
    code = {at for block in fenced_lines(map(str.rstrip, lines)) for at in block}

    def shown(found: re.Match[str]) -> str:
        if found[0][0] == "`":
            return found[0]
        entity = " ".join(unescape(found["entity"]).split("\n")) if found["entity"] else ""
        tag = {"br": " ", "hr": "***"}.get((found["tag"] or "").lower(), "")
        return found["text"] or entity or found["escaped"] or found["first"] or tag

    return "\n".join(line if at in code else _SHOWN.sub(shown, line) for at, line in enumerate(lines))


def _without_asides(text: str) -> str:
    """Without call-outs, notes, tasks, fields, and blocks of code that a program runs."""
    lines = text.split("\n")
    blocks = list(fenced_lines(map(str.rstrip, lines)))
    code = {at for block in blocks for at in block}
    aside = {at for block in blocks if _PROGRAM.match(lines[block.start]) for at in block}
    callout = note = goes_on = False
    for at, line in enumerate(lines):
        said = "" if at in code else line.strip()
        callout = said.startswith(">") and (callout or bool(_CALLOUT.match(said)))
        inside = not said or line[0] in " \t" or (goes_on and said[0] != "#")
        note = bool(_NOTE.match(said)) or (note and inside and at not in code)
        goes_on = bool(said)
        if callout or (said and (note or _ASIDE.match(said))):
            aside.add(at)
    return "\n".join("" if at in aside else line for at, line in enumerate(lines))


def without_between(text: str, opening: str, closing: str, *, lines: bool = True) -> str:
    """The text without what stands from one mark to the next closing one; with ``lines`` their ends stay."""
    kept, at = [], 0
    while (start := text.find(opening, at)) >= 0:
        end = text.find(closing, start + len(opening))
        if end < 0:
            break
        kept += [text[at:start], "\n" * text.count("\n", start, end) * lines]
        at = end + len(closing)
    return "".join([*kept, text[at:]])


def _shown(link: re.Match[str]) -> str:
    if link[2]:
        return str(link[2])
    target, _, place = link[1].partition("#")
    return target.rpartition("/")[2].removesuffix(".md") or place.lstrip("^#")


def fenced_lines(lines: Iterable[str]) -> Iterator[range]:
    """The places of the lines of each fenced block, both fences among them, in order. ``lines`` are without
    their ends. Linear in their number."""
    start, fence = -1, ""
    for at, line in enumerate(lines):
        if fence:
            found = _CLOSING.match(line)
            if found and found[1].startswith(fence):
                yield range(start, at + 1)
                fence = ""
        elif line.lstrip(" ")[:1] in ("`", "~") and (found := _OPENING.match(line)):
            start, fence = at, found["ticks"] or found["tildes"]
