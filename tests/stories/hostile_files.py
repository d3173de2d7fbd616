"""Books, codices, settings and graphs that were made to be slow to read, or to end who reads them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from xml.sax.saxutils import quoteattr

from tests.stories.book_files import endless_pdf, epub, page, pdf_of, zipped
from tests.tables import values

KB = 1_000
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_SYLLABLES = "bcdfglmnprstvz"

TOKENS = (
    "\" ' “ ” ‘ ’ « » ( ) [ ] { } < > * _ # - -- — … . ... , ; : ! ? & @ ~ = + | \\ / % ^ $ ` 0 9 a A é "
    "漢 😀 \u0301 \u200b \u202e \ufeff \t \r <!-- <![CDATA[ &amp; [1] {{ }} ${ ]]> http:// a@b. 1. I. Mr. "
).split(" ")
WORDS = ("Anna ", "a ", "the ", "he said ")
WORDS += tuple("“Go,” he said. /and /not /Mr. /-- /I /A. /1812 ".split("/"))
WORDS += ("Chapter ", "\n# ", "\n\n***", "\n> ", "\n- ", "\n1. ", "\n|", "Anna's brother's ", "of the ", "x-")


@dataclass(frozen=True)
class Hostile:
    """``kind`` says who reads it (see ``limited_reading``); ``files`` are its files by name, the first
    of them the one that is named to the reader."""

    kind: str
    files: Callable[[], Mapping[str, str | bytes]]


def name(number):
    """Another for every number."""
    said, left = "", number + 7
    while left:
        said += _SYLLABLES[left % 14] + "aeiou"[left // 14 % 5]
        left //= 70
    return said.capitalize()


def _filled(token, size=200 * KB):
    return f"Anna Dahl went home. {token * (size // len(token))} Anna came back."


def _book(text, suffix=".txt", kind="index"):
    return Hostile(kind, lambda: {f"book{suffix}": text()})


def _headings(count, line, *, told=1):
    body = "Anna rowed to the island and home again, and she told nobody. " * told
    return "".join(f"{line.format(n)}\n\n{body}\n\n" for n in range(1, count + 1))


def _docx(body):
    document = f'<?xml version="1.0"?><w:document {_W}><w:body>{body}</w:body></w:document>'
    return zipped({"word/document.xml": document})


_WORD = "<w:p><w:r><w:t>Anna went home.</w:t></w:r></w:p>"


def _pdf(*objects):
    return pdf_of([one.encode() for one in objects])


CATALOGUE = "<< /Type /Catalog /Pages 2 0 R >>"
ONE_PAGE = "<< /Type /Pages /Count 1 /Kids [3 0 R] >>"


def _page_tree(depth):
    kids = [f"<< /Type /Pages /Count 1 /Kids [{n + 3} 0 R] >>" for n in range(depth)]
    last = f"<< /Type /Page /Parent {depth + 1} 0 R /MediaBox [0 0 9 9] >>"
    return _pdf(CATALOGUE, *kids, last)


def _circle():
    return _pdf(CATALOGUE, "<< /Type /Pages /Count 9 /Kids [2 0 R 2 0 R] >>")


def _outline(depth):
    items = [f"<< /Title (x) /Parent {n + 3} 0 R /First {n + 5} 0 R /Count 1 >>" for n in range(depth)]
    first = "<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R >>"
    page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>"
    return _pdf(first, ONE_PAGE, page, *items, "<< /Title (last) >>")


def _arrays(depth):
    deep = "[" * depth + "]" * depth
    return _pdf(CATALOGUE, ONE_PAGE, f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Odd {deep} >>")


def _bomb(levels=12):
    """Ten to the power of ``levels`` words, by entities that name entities."""
    lines = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, levels))
    return f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "ha">{lines}]>'


def _navigation(depth):
    entry = '<li><a href="p.xhtml">One</a>'
    toc = f"{f'{entry}<ol>' * depth}{entry}</li>{'</ol></li>' * depth}"
    return epub({"p.xhtml": page("<p>Anna went home.</p>")}, toc=toc)


def novelwriter(*documents, names=(), ending=".nwd", before=""):
    """A project of novelWriter: a novel of these documents in order, and ``names`` of files that it lacks."""
    handles = [*(f"{n:013x}" for n in range(len(documents))), *names]
    items = "".join(
        f'<item handle={quoteattr(one)} parent="r" type="FILE" class="NOVEL" layout="DOCUMENT">'
        f"<name active='yes'>D{n}</name></item>"
        for n, one in enumerate(handles)
    )
    root = '<item handle="r" parent="None" type="ROOT" class="NOVEL"><name>Novel</name></item>'
    listing = f"{before}<novelWriterXML><project><name>A</name></project><content>{root}{items}</content>"
    texts = {f"A/content/{one}{ending}": text for one, text in zip(handles, documents, strict=False)}
    return {"A/nwProject.nwx": f"{listing}</novelWriterXML>", **texts}


def _final_draft(body):
    return f"<FinalDraft><Content>{body}</Content></FinalDraft>"


def _speech(kind, said):
    return f'<Paragraph Type="{kind}"><Text>{said}</Text></Paragraph>'


def _manuskript(files):
    return zipped({"MANUSKRIPT": "1", "outline/0-A.md": "title: A\n\nAnna went home.", **files})


def _yaml_bomb(levels=9):
    lines = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]\n" for n in range(1, levels))
    return f"l0: &l0 [ha, ha, ha]\n{lines}"


def _texts():
    for token in (*TOKENS, *WORDS):
        if token:
            yield f"200 KB of {token!a}", _book(lambda token=token: _filled(token))
    for suffix, about, parts in values(__file__, "hostile_files.tsv"):
        text = partial("".join, (piece * times for piece, times in parts))
        yield about, _book(text, suffix, "codex" if suffix == ".yaml" else "index")
    for line in ("CHAPTER {0}", "# {0}", "{0}", "Chapter {0}: The Boat", "PART {0}"):
        yield f"8,000 headings {line!a}", _book(lambda line=line: _headings(8_000, line))
    yield "1,200 headings", _book(lambda: _headings(1_200, "CHAPTER {0}"))
    texts = {
        "a sentence of 3,000 names": lambda: f"Anna met {', '.join(map(name, range(3_000)))}.",
        "6,000 sentences of unique names": lambda: " ".join(
            f"{name(n)} walked to the house." for n in range(6_000)
        ),
        "60,000 names": lambda: " ".join(f"{name(n)} met {name(n + 1)}." for n in range(0, 60_000, 2)),
    }
    yield from ((about, _book(text)) for about, text in texts.items())
    nested = "".join(f"{' ' * (n % 500)}- Anna\n" for n in range(50_000))
    yield "50,000 lists in lists", _book(lambda: nested, ".md")


def _converted():
    many = " ".join(f'a{n}="b"' for n in range(200_000))
    pages = {
        "200,000 attributes": lambda: f"<p {many}>Anna went home.</p>",
    }
    deep = page(f"{'<div>' * 50_000}Anna went home.{'</div>' * 50_000}")
    entities = f"{_bomb()}<html><body><p>&e11;</p></body></html>"
    cells = "<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>"
    kinds = {
        "HTML": pages,
        "EPUB": {
            "50,000 <div> in <div>": lambda: epub({"p.xhtml": deep}),
            "a navigation 20,000 deep": lambda: _navigation(20_000),
            "entities": lambda: epub({"p.xhtml": entities}),
            "300 MB packed": lambda: epub({"p.xhtml": "<p>" + "a" * 300_000_000}),
        },
        "docx": {
            "20,000 tables in tables": lambda: _docx(cells[0] * 20_000 + _WORD + cells[1] * 20_000),
            "100,000 boxes in boxes": lambda: _docx("<w:sdt>" * 100_000 + _WORD + "</w:sdt>" * 100_000),
            "entities": lambda: zipped({"word/document.xml": f"{_bomb()}<x>&e11;</x>"}),
            "200,000 paragraphs": lambda: _docx(_WORD * 200_000),
            "300 MB packed": lambda: zipped({"word/document.xml": b"a" * 300_000_000}),
        },
        "PDF": {
            "a page tree 50,000 deep": lambda: _page_tree(50_000),
            "pages that hold themselves": _circle,
            "an outline 50,000 deep": lambda: _outline(50_000),
            "100,000 arrays in arrays": lambda: _arrays(100_000),
            "2,000 pages of one stream": endless_pdf,
        },
        "FDX": {
            "dual dialogue 100,000 deep": lambda: _final_draft("<Paragraph><DualDialogue>" * 100_000),
            "20,000 speeches": lambda: _final_draft(
                (_speech("Character", "ANNA") + _speech("Dialogue", "I went home.")) * 10_000
            ),
        },
        "MSK": {
            "entities": lambda: _manuskript({"world.opml": f"{_bomb()}<opml>&e11;</opml>"}),
            "folders 10,000 deep": lambda: _manuskript(
                {f"outline/{'0-a/' * 10_000}0-b.md": "title: b\n\nBo."}
            ),
        },
        "ZIP": {
            "novelWriter, entities": lambda: zipped(novelwriter("## A\n\nAnna.", before=_bomb())),
            "novelWriter, 100,000 documents": lambda: zipped(
                novelwriter("Anna.", names=map(str, range(100_000)))
            ),
            "novelWriter, 100,000 headings": lambda: zipped(
                novelwriter("".join(f"## {name(n)}\n\n{name(n)}\n" for n in range(100_000)))
            ),
            "novelWriter, 1 MB of marks": lambda: zipped(
                novelwriter(
                    *(
                        f"## A\n\nAnna {mark * (200 * KB // len(mark))}"
                        for mark in ("[s]", "~~a", "_a ", "> ", "<a")
                    )
                )
            ),
        },
    }
    for kind, files in kinds.items():
        yield from ((f"{kind}, {about}", _book(made, f".{kind.lower()}")) for about, made in files.items())


def _beside():
    codices = {
        "aliases of aliases": _yaml_bomb,
        "20,000 levels of lines": lambda: "".join(f"{' ' * (n % 2_000)}a:\n" for n in range(20_000)),
        "100,000 keys": lambda: "characters:\n" + "".join(f"  - name: {name(n)}\n" for n in range(100_000)),
    }
    for about, text in codices.items():
        yield f"YAML, {about}", _book(text, ".yaml", "codex")


INPUTS: Mapping[str, Hostile] = dict([*_texts(), *_converted(), *_beside()])
