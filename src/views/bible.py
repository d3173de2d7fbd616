"""The story bible as a reader is shown it, and as files: Markdown, Word, an Obsidian vault, World Info.

Names, sentences and quotes come from the story and are untrusted: each format escapes what would act in it.
"""

from __future__ import annotations

import io
import json
import re
import unicodedata
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

from ..core.files.atomic import replace_file
from ..core.text.sentences import in_marks
from ..errors import UsageError
from ..story.bible import AUTHOR, Bible
from ..story.evidence.untrusted import one_line
from ..story.model.types import WORLD
from .quotes import QuoteShown, quotes_shown
from .text.render import harmless, wrapped

Format = Literal["markdown", "docx", "vault", "world-info"]
FORMATS: tuple[Format, ...] = get_args(Format)
MEDIA: Mapping[Format, tuple[str, str]] = {
    "markdown": ("bible.md", "text/markdown"),
    "docx": ("bible.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    "vault": ("bible-vault.zip", "application/zip"),
    "world-info": ("bible-world-info.json", "application/octet-stream"),
}
"""The file's name and the media type of each format; of a vault packed into one file."""
_ENDINGS: Mapping[str, Format] = {".md": "markdown", ".docx": "docx", ".json": "world-info", "": "vault"}

_ACTS = re.compile(r"[\\`*_{}\[\]<>#|!~$^=&%]|(?<=:)//|^[-+]")  # in Markdown
_NUMBERED = re.compile(r"^(\d+)(?=[.)])")
_NOT_IN_XML = re.compile("[\ufffe\uffff]")
_NO_NAME = re.compile(r"[\\/:?\"\s`*{}\[\]<>#|!~$^=&%]+")
_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(10))})
_INDEX = "Story bible"
_LONGEST_NAME = 80  # bytes of a note's name


@dataclass(frozen=True, slots=True)
class LineShown:
    """``text`` is told in ``chapter`` (0: before the story) and is ``sure`` (0 to 1); ``says`` is who says
    so, ``kind`` what sort of thing it is; what is ``over`` does not hold any more."""

    text: str
    chapter: int
    kind: str
    sure: float
    says: str
    over: bool
    about: tuple[str, ...]
    quotes: tuple[QuoteShown, ...]

    @property
    def place(self) -> str:
        """Who says so, or where."""
        spoken = f"{self.says}, " if self.says not in (AUTHOR, "the text") else ""
        return self.says if self.says == AUTHOR else f"{spoken}ch. {self.chapter}"


@dataclass(frozen=True, slots=True)
class EntryShown:
    """A person, group, place, thing, the world or a thread, under the heading ``section``; ``first`` is its
    first chapter, ``state`` that of a thread (overdue, open, advanced or resolved), else empty."""

    id: str
    name: str
    kind: str
    section: str
    also: tuple[str, ...]
    first: int
    state: str
    lines: tuple[LineShown, ...]

    @property
    def told(self) -> str:
        """What it is, in words."""
        if self.kind == WORLD:
            return ""
        if self.state:
            whose = f" of {self.also[0]}" if self.also else ""
            return f"{self.kind}{whose}, {self.state}, since ch. {self.first}"
        also = f"also {', '.join(self.also)}; " if self.also else ""
        return f"{also}{f'first in ch. {self.first}' if self.first else 'laid down by the author'}"


@dataclass(frozen=True, slots=True)
class BibleShown:
    """At chapter ``as_of`` (None: the whole story), in the order of a bible."""

    title: str
    as_of: int | None
    entries: tuple[EntryShown, ...]

    @property
    def until(self) -> str:
        """How far it was read."""
        return "The whole story." if self.as_of is None else f"Up to chapter {self.as_of}."

    @property
    def sections(self) -> Iterator[tuple[str, list[EntryShown]]]:
        """The entries under their headings."""
        found: dict[str, list[EntryShown]] = {}
        for entry in self.entries:
            found.setdefault(entry.section, []).append(entry)
        yield from found.items()


def bible_shown(bible: Bible, *, title: str, about: str | None = None) -> BibleShown:
    """As plain data; only the entries of that name, where one is given. Raises UsageError where there is
    none."""
    entries = bible.entries if about is None else bible.about(about)
    if about is not None and not entries:
        raise UsageError(
            f"the story so far has nothing about {about!r}: fabula bible PROJECT lists all entries"
        )
    shown = (
        EntryShown(
            *(one.id, one.name, one.kind, one.section, one.also, one.first, one.state),
            tuple(
                LineShown(
                    *(line.text, line.chapter, line.kind, round(line.sure, 3), line.says, line.over),
                    line.about,
                    quotes_shown(line.evidence),
                )
                for line in one.lines
            ),
        )
        for one in entries
    )
    return BibleShown(title, bible.as_of, tuple(shown))


def bible_text(shown: BibleShown) -> str:
    """For a terminal: a line a sentence, its first quote below."""
    lines = []
    for section, entries in shown.sections:
        lines.append(section)
        for entry in entries:
            lines.append(wrapped(f"{entry.name} ({entry.told})" if entry.told else entry.name, indent="  "))
            for line in entry.lines:
                lines.append(wrapped(f"{line.text} [{line.place}]", indent="    "))
                lines += [wrapped(in_marks(one.words), indent="      ") for one in line.quotes[:1]]
        lines.append("")
    return "\n".join(lines).rstrip() or "Nothing is established yet."


# --- files --------------------------------------------------------------------------------------------------


def bible_files(shown: BibleShown, format: Format) -> dict[str, bytes]:
    """The files of a format by their names: one, but for a vault. The same bible gives the same bytes."""
    if format == "vault":
        return _vault(shown)
    make = {"markdown": _markdown, "docx": _docx, "world-info": _world_info}[format]
    return {MEDIA[format][0]: make(shown)}


def packed(shown: BibleShown, format: Format) -> bytes:
    """The same as one file."""
    files = bible_files(shown, format)
    return _zip(files) if format == "vault" else next(iter(files.values()))


def write_bible(shown: BibleShown, out: Path) -> tuple[str, ...]:
    """Writes what the ending of ``out`` asks for: ``.md``, ``.docx``, ``.json`` (World Info), or, without
    one, a new folder, an Obsidian vault. The paths of the files. Raises UsageError for any other ending, and
    for a folder that holds files."""
    format = _ENDINGS.get(out.suffix.lower() if not out.is_dir() else "")
    if format is None:
        raise UsageError(f"a bible cannot be a {out.suffix} file: use .md, .docx or .json, or a folder")
    if format == "vault" and out.is_dir() and any(out.iterdir()):
        raise UsageError(f"{out} already holds files: name a new or empty folder for the vault")
    named = bible_files(shown, format)
    files = (
        {out / name: data for name, data in named.items()}
        if format == "vault"
        else {out: packed(shown, format)}
    )
    for path, data in files.items():
        replace_file(path, data)
    return tuple(path.as_posix() for path in files)


def _flat(text: str) -> str:
    return " ".join(harmless(text).split())


def markdown_line(text: str) -> str:
    """One line of Markdown that is read as these very words."""
    return _escaped(_flat(text))


def _escaped(line: str) -> str:
    return _NUMBERED.sub(r"\1\\", _ACTS.sub(r"\\\g<0>", line))


def _markdown(shown: BibleShown) -> bytes:
    lines = [f"# {markdown_line(shown.title)}: story bible", "", shown.until, ""]
    for section, entries in shown.sections:
        lines += [f"## {section}", ""]
        for entry in entries:
            lines += [
                *([f"### {markdown_line(entry.name)}", ""] if entry.kind != WORLD else []),
                *_note(entry, markdown_line),
            ]
    return "\n".join(lines).encode()


def _note(entry: EntryShown, worded: Callable[[str], str]) -> list[str]:
    lines = [f"*{markdown_line(entry.told)}*", ""] if entry.told else []
    for line in entry.lines:
        lines.append(f"- {worded(line.text)} *({line.place})*")
        lines += [f"    > {markdown_line(in_marks(quote.words))} ({quote.place})" for quote in line.quotes]
    return [*lines, ""]


def _vault(shown: BibleShown) -> dict[str, bytes]:
    """A note an entry, which links to the others that its lines name, and one that lists them all."""
    import yaml

    names = dict(_note_names(shown.entries))
    index, files = [f"# {markdown_line(shown.title)}: story bible", "", shown.until, ""], {}
    for section, entries in shown.sections:
        index += [f"## {section}", "", *(f"- {_link(names[one.id], _flat(one.name))}" for one in entries), ""]
        for one in entries:
            about = {each for line in one.lines for each in line.about} - {one.id}
            others = {_flat(e.name): names[e.id] for e in shown.entries if e.id in about}
            facts: dict[str, Any] = {
                "aliases": list(map(_flat, one.also if not one.state else ())),
                "kind": one.kind,
            }
            facts |= {"state": one.state} if one.state else {}
            head = yaml.safe_dump({**facts, "first_chapter": one.first}, allow_unicode=True, sort_keys=False)
            body = [f"# {markdown_line(one.name)}", "", *_note(one, partial(_linked, others=others))]
            files[f"{section}/{names[one.id]}.md"] = f"---\n{head}---\n\n{chr(10).join(body)}".encode()
    return {f"{_INDEX}.md": "\n".join(index).encode(), **files}


def _note_names(entries: Iterable[EntryShown]) -> Iterator[tuple[str, str]]:
    """A name for the note of each entry: no path and no mark of a link in it, and no two alike whatever the
    case, as file systems have it."""
    taken = {_INDEX.casefold()}
    for entry in entries:
        name = _NO_NAME.sub(" ", unicodedata.normalize("NFC", _flat(entry.name))).strip(" .")
        name = name.encode()[:_LONGEST_NAME].decode(errors="ignore").strip(" .")
        if not name or name.split(".")[0].casefold().strip() in _DEVICES:
            name = f"{entry.kind} {name}".strip()
        number, chosen = 1, name
        while chosen.casefold() in taken:
            number += 1
            chosen = f"{name} ({number})"
        taken.add(chosen.casefold())
        yield entry.id, chosen


def _link(note: str, name: str) -> str:
    """The name as it is, where nothing in it acts."""
    return f"[[{note}]]" if name == note or _ACTS.search(name) else f"[[{note}|{name}]]"


def _linked(text: str, others: Mapping[str, str]) -> str:
    """The line with each of these names as a link."""
    names = "|".join(re.escape(name) for name in sorted(others, key=len, reverse=True))
    parts = re.split(rf"(?<!\w)({names})(?!\w)", _flat(text)) if names else [text]
    return "".join(
        _link(others[part], part) if number % 2 else _escaped(part) for number, part in enumerate(parts)
    )


def _docx(shown: BibleShown) -> bytes:
    import docx

    def fit(text: str) -> str:
        return _NOT_IN_XML.sub("", _flat(text))

    made = docx.Document()
    made.add_heading(fit(f"{shown.title}: story bible"), level=0)
    made.add_paragraph(shown.until)
    for section, entries in shown.sections:
        made.add_heading(section, level=1)
        for entry in entries:
            if entry.kind != WORLD:
                made.add_heading(fit(entry.name), level=2)
                made.add_paragraph().add_run(fit(entry.told)).italic = True
            for line in entry.lines:
                made.add_paragraph(fit(f"{line.text} ({line.place})"), style="List Bullet")
                for quote in line.quotes:
                    made.add_paragraph(fit(f"{in_marks(quote.words)} ({quote.place})"), style="Quote")
    held = io.BytesIO()
    made.save(held)
    with zipfile.ZipFile(held) as archive:  # once more, since it holds the time of day
        return _zip({name: archive.read(name) for name in archive.namelist()})


def _zip(files: Mapping[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return held.getvalue()


def _world_info(shown: BibleShown) -> bytes:
    """As SillyTavern and KoboldAI import it: an entry is put into a prompt where one of its keys is said, the
    world's laws always. What would be a pattern as a key, or a macro as content, loses its marks."""
    entries = {}
    for number, one in enumerate(shown.entries):
        keys = [] if one.kind == WORLD else [*(() if one.state else (one.name,)), *one.also]
        keys = [key for key in dict.fromkeys(_inert(key).strip("/ ") for key in keys) if len(key) > 1]
        head = f"{one.name} ({one.told})" if one.told else one.name
        lines = [head, *(f"- {line.text}." for line in one.lines if not line.over)]
        entries[str(number)] = {
            "uid": number,
            "key": keys,
            "keysecondary": [],
            "comment": _flat(one.name),
            "content": "\n".join(map(_inert, lines)).lstrip("@"),
            "constant": not keys,
            "selective": False,
            "selectiveLogic": 0,
            "addMemo": True,
            "order": 100,
            "position": 0,
            "disable": one.state == "resolved",
            "excludeRecursion": False,
            "preventRecursion": True,
            "probability": 100,
            "useProbability": True,
            "depth": 4,
            "group": "",
            "scanDepth": None,
            "caseSensitive": None,
            "matchWholeWords": True,
            "displayIndex": number,
        }
    data = json.dumps({"entries": entries}, ensure_ascii=False, indent=1)
    return f"{data}\n".encode()


def _inert(text: str) -> str:
    """One line without orders to a model and without macros."""
    return one_line(_flat(text)).replace("{{", "{ {").replace("}}", "} }")
