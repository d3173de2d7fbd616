"""Reads a story from a file, or from a folder of a writer's program, into a Document with chapters.

The text of .txt and .md is kept as decoded, newlines included, but for its normalisation and for what is no
story (see :mod:`.text.encodings`, :mod:`.text.markdown`, :mod:`.chapters`); other kinds are
converted to Markdown first. Either way it is the document's text, and every span indexes it.
"""

from __future__ import annotations

import codecs
import logging
import re
import sys
import unicodedata
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from ..errors import DocumentError
from .chapters.reader import find_chapters, title_of, without_brackets
from .formats.blocks import AuthorNote, Converted, clean_title
from .formats.converting import ReadingLimits, convert
from .formats.folders.packing import packed
from .formats.fountain import fountain_document
from .text.encodings import guess_encoding, marked_encoding, normalized
from .text.markdown import read_markdown
from .types import Chapter, Document

_log = logging.getLogger(__name__)

_MARKDOWN = (".markdown", ".md")
PLAIN = (*_MARKDOWN, ".text", ".txt")
_OTHERS = (b"%PDF-", b"PK\3\4", b"{\\rtf", b"\xd0\xcf\x11\xe0")  # PDF, an archive, RTF, Word before 2007
SCREENPLAY = ".fountain"
FOLDER, _MANUSKRIPT = ".zip", ".msk"
_PAGE = (".htm", ".html", ".xhtml")
SUPPORTED = (".docx", ".epub", ".fdx", SCREENPLAY, *_PAGE, *PLAIN, _MANUSKRIPT, ".pdf", FOLDER)
KINDS = ".txt, .md, .epub, .docx, .html, .pdf, .fountain, .fdx, .msk or .zip (a folder)"
"""The same in words."""
MAX_FILE = 200_000_000
"""Bytes of the largest file that is read: an illustrated book, of which the pictures are passed over."""
MAX_TEXT = 50_000_000
"""Bytes of the largest text (.txt, .md, .fountain, .html): ten times the longest novels."""
MAX_CHAPTER = 4_000_000
"""Characters of the longest chapter, which is read as a whole: more than the longest novels have in all."""
MAX_CHAPTERS = 4_000
"""The most chapters: the longest serials have some 3,000."""
MAX_SHORT_CHAPTERS = 1_200
"""The most chapters where they are short on average:"""
_SHORT = 300
"""characters, less than any page."""
MAX_NAMES = 40_000
"""The most different words with a capital letter: the longest novels have some 4,000."""
_CAPITALISED = re.compile(r"\b[A-Z]\w+")

_UNSAFE = re.compile(r"[^a-z0-9]+")
_LONGEST_ID = 80
_SMALL = frozenset({"a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"})
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)\Z")  # names that Windows keeps for itself


@dataclass(frozen=True, slots=True)
class PrintedBook:
    """A PDF as it was read, and the table of where the words of its text are printed (see
    :mod:`.formats.pdf.places`)."""

    pdf: bytes
    places: bytes


def read_document(
    path: Path,
    *,
    title: str | None = None,
    encoding: str | None = None,
    limits: ReadingLimits | None = None,
) -> Document:
    """The document of :func:`read_book` alone."""
    return read_book(path, title=title, encoding=encoding, limits=limits)[0]


def read_book(
    path: Path,
    *,
    title: str | None = None,
    encoding: str | None = None,
    limits: ReadingLimits | None = None,
    data: bytes | None = None,
) -> tuple[Document, PrintedBook | None]:
    """The document in a file of one of the kinds in ``SUPPORTED``, or in a folder: a project of Scrivener or
    novelWriter (or its ``.scrivx`` or ``.nwx`` file) or of Manuskript, or Markdown files, a scene or a
    chapter each. ``-`` is text on standard input. Its id comes from the name; its title from a Markdown title
    at the top, else the file's own properties, else its name. A PDF comes with its pages. ``data`` stands in
    for what the file holds.

    The encoding of a text is that of a byte order mark, else UTF-8, unless ``encoding`` names another; of
    HTML and EPUB that which the pages declare, ``encoding`` being for those that are wrong about it.
    What is no text is converted in a process of its own, within ``limits``.
    Raises DocumentError, one line that says what to do, for a file that is missing, a directory without a
    book, of another type, too large, not readable, not text, in another encoding, protected, hostile, or
    blank.
    """
    path = _whole(path)
    data = _read(path) if data is None else data
    path = Path("stdin.txt") if is_stream(path) else path
    found = _converted(data, path, encoding, limits)
    if not found.text.strip():
        raise DocumentError(f"{path} is blank: name a file that holds a story")
    if found.warning:
        _log.warning("%s", found.warning)
    named = path if path.name else path.absolute()
    stem = (named.name if path.is_dir() else named.stem).removesuffix(".scriv").removesuffix(".epub")
    text = found.text if found.chapters or found.places else without_brackets(found.text)
    own = clean_title(title_of(text)) or clean_title(found.title) or _title(stem)
    document = document_from_text(text, id=_slug(stem), title=title or own, chapters=found.chapters)
    return document, PrintedBook(data, found.places) if found.places else None


def read_notes(path: Path) -> tuple[AuthorNote, ...]:
    """The author's notes in a project of novelWriter or Manuskript, none in other books. Raises DocumentError
    as :func:`read_book`, and where the notes are damaged."""
    path = _whole(path)
    found = _converted(_read(path), path, None, None)
    if found.warning and not found.notes:
        raise DocumentError(found.warning)
    return found.notes


def _whole(path: Path) -> Path:
    """The folder of a project that is named by a file in or beside it."""
    kind = path.suffix.lower()
    if kind in (".nwx", ".scrivx") and path.is_file():
        return path.absolute().parent
    if kind == _MANUSKRIPT and path.is_file() and path.stat().st_size < len("PK") * 8:
        if not path.with_suffix("").is_dir():
            raise DocumentError(f"{path} is kept in a folder beside it that is not there: pack both as .zip")
        return path.with_suffix("")
    return path


def document_from_text(text: str, *, id: str, title: str, chapters: tuple[Chapter, ...] = ()) -> Document:
    """A document of a text already in memory; spans index ``text`` as given. ``chapters`` are found in it
    unless they are given.

    Raises DocumentError where the text is blank, holds NUL characters, has more or longer chapters or more
    names than can be read, or ``id`` is empty.
    """
    if not id:
        raise DocumentError("a document needs an id: give it a short name")
    if "\0" in text:
        raise DocumentError(f"{title} holds NUL characters and is not text: save it as plain text")
    if not text.strip():
        raise DocumentError(f"{title} is blank: there is no story to read in it")
    chapters = chapters or find_chapters(text, title=title)
    if len(chapters) > MAX_CHAPTERS:
        raise DocumentError(
            f"{title} has {len(chapters):,} chapters and {MAX_CHAPTERS:,} is the maximum: index it "
            f"in parts, or remove headings that do not begin a chapter"
        )
    mean = sum(len(chapter.body) for chapter in chapters) // len(chapters)
    if len(chapters) > MAX_SHORT_CHAPTERS and mean < _SHORT:
        raise DocumentError(
            f"{title} has {len(chapters):,} chapters of {mean} characters on average, and "
            f"{MAX_SHORT_CHAPTERS:,} so short is the maximum: remove headings that do not begin a chapter"
        )
    longest = max(chapters, key=lambda chapter: len(chapter.body))
    if len(longest.body) > MAX_CHAPTER:
        raise DocumentError(
            f"{title} has {len(longest.body):,} characters in chapter {longest.number} and {MAX_CHAPTER:,} "
            "is the maximum: divide it with lines such as CHAPTER 2, or index it in parts"
        )
    names = len({found[0] for found in _CAPITALISED.finditer(text)})
    if names > MAX_NAMES:
        raise DocumentError(
            f"{title} has {names:,} different words with a capital letter and {MAX_NAMES:,} is the maximum: "
            "that is a register of names, not a story; index it in parts"
        )
    return Document(id, title, text, chapters)


def is_stream(path: Path) -> bool:
    """Is it text on its way rather than a file: ``-``, ``/dev/stdin``, or what a shell makes of ``<(…)``?"""
    return str(path) == "-" or path.parts[1:2] == ("dev",)


def _read(path: Path) -> bytes:
    try:
        if is_stream(path):
            with nullcontext(sys.stdin.buffer) if str(path) == "-" else path.open("rb") as stream:
                data = stream.read(MAX_TEXT + 1)
            if len(data) > MAX_TEXT:
                raise DocumentError(f"more than {MAX_TEXT / 1e6:,.0f} MB came in: index it in parts")
            return data
        if path.is_dir():
            return packed(path)
        if path.exists() and path.suffix.lower() not in SUPPORTED:
            kind = f"a {path.suffix} file" if path.suffix else "a file without a suffix"
            if path.suffix.lower() in (".json", ".jsonl"):
                raise DocumentError(f"{path} is no story: of a pack of tagged texts, say fabula packs index")
            raise DocumentError(f"{path} is {kind}, which cannot be read: convert it to {KINDS}")
        if path.exists() and not path.is_file():
            raise DocumentError(f"{path} is no regular file: save the story as {KINDS} first")
        most = MAX_TEXT if path.suffix.lower() in (*PLAIN, SCREENPLAY, ".fdx", *_PAGE) else MAX_FILE
        size = path.stat().st_size
        if size > most:
            raise DocumentError(
                f"{path} has {size / 1e6:,.0f} MB and {most / 1e6:,.0f} is the maximum: index it in parts"
            )
        return path.read_bytes()
    except FileNotFoundError:
        raise DocumentError(f"{path} does not exist: check the path") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DocumentError(f"{path} cannot be read ({reason}): check its name and permissions") from error


def _converted(data: bytes, path: Path, encoding: str | None, limits: ReadingLimits | None) -> Converted:
    """The file's text; what is no text yet is read in a process of its own."""
    kind, name = FOLDER if path.is_dir() else path.suffix.lower(), str(path)
    if kind in _MARKDOWN:
        front, story = read_markdown(_decoded(data, path, encoding))
        return Converted(story, str(front.get("title") or ""))
    if kind in PLAIN:
        return Converted(_decoded(data, path, encoding))
    if kind == SCREENPLAY:
        return fountain_document(_decoded(data, path, encoding))
    if encoding is not None:
        _known(encoding)
    kind = FOLDER if kind == _MANUSKRIPT else kind
    return convert(data, name, kind=kind, encoding=encoding, limits=limits)


def _decoded(data: bytes, path: Path, encoding: str | None) -> str:
    mark, name = marked_encoding(data)
    if encoding is not None:
        asked = _known(encoding)
        if asked.split("-")[:2] != name.split("-")[:2]:
            mark = b""
        name = name if mark and asked in ("utf-16", "utf-32", "utf-8-sig") else asked
    if data.startswith(_OTHERS):
        raise DocumentError(f"{path} is a document, no plain text: give it its suffix, or save it as text")
    if b"\0" in data and not name.startswith(("utf-16", "utf-32")):
        raise DocumentError(f"{path} has NUL bytes and is not text in {name}: save it as plain text in UTF-8")
    try:
        return normalized(data[len(mark) :].decode(name))
    except UnicodeError as error:
        place = f" at byte {error.start + len(mark)}" if isinstance(error, UnicodeDecodeError) else ""
        likely = guess_encoding(data)
        advice = f"try --encoding {likely}, or save" if likely not in (None, name) else "save"
        raise DocumentError(f"{path} is not in {name}{place}: {advice} it in UTF-8") from None


def _known(encoding: str) -> str:
    """The codec's own name. Raises DocumentError where there is none that makes text of bytes."""
    try:
        codec = codecs.lookup(encoding)
        b"text".decode(encoding)
    except UnicodeDecodeError:
        pass  # a text encoding, of which these four bytes are no text
    except (LookupError, ValueError):
        raise DocumentError(
            f"there is no text encoding {encoding!r}: try utf-8, utf-16, cp1252 or latin-1"
        ) from None
    return codec.name


def document_id(name: str) -> str:
    """The id of the document that a file of this name holds."""
    return _slug(Path(name).stem.removesuffix(".scriv"))


def _slug(stem: str) -> str:
    """A name safe for files and links: ``a-z0-9-``, 1 to 80 characters, never a reserved one."""
    folded = unicodedata.normalize("NFKD", stem.replace("\u00df", "ss")).encode("ascii", "ignore").decode()
    slug = _UNSAFE.sub("-", folded.lower()).strip("-")[:_LONGEST_ID].rstrip("-")
    if not slug:
        points = "-".join(f"{ord(letter):x}" for letter in stem)
        slug = f"u-{points}"[:_LONGEST_ID].rstrip("-")
    return f"{slug}-text" if _DEVICES.match(slug) else slug


def _title(stem: str) -> str:
    """A file's name as a title: ``the-turn-of-the-screw`` reads ``The Turn of the Screw``."""
    words = re.split(r"[\s_-]+", stem.strip(" _-"))
    if any(map(str.isupper, stem)):
        return " ".join(words) or stem
    said = [word if at and word in _SMALL else word[:1].upper() + word[1:] for at, word in enumerate(words)]
    return " ".join(said) or stem
