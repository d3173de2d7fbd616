import re
import shutil
import sys
from dataclasses import fields
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet
from tests.stories.builder import StoryBuilder
from tests.stories.examples import rows as table

from fabula.core.documents import document_from_text
from fabula.core.types import Horizon
from fabula.errors import ModelMissing, ProjectError, UsageError
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.interchange import importing
from fabula.story.interchange.alignment import Edition
from fabula.story.interchange.graphrag import edge_predicate
from fabula.story.interchange.importing import import_story
from fabula.story.model.types import EntityKind, StoryLog

BOOK = (
    "CHAPTER I\n\nAnna Reed lived in Dover. Anna Reed married Tom Hale.\n\n"
    "CHAPTER II\n\nTom Hale hated Mr. Gray. Mr. Gray slept, and may have dreamt.\n\n"
    "CHAPTER III\n\nAnna Reed and Tom Hale wept. O’Hara was Zoë's brother, and \"O'Hara\" is a name.\n"
)
NODES = [
    ("ANNA REED", "PERSON"),
    ("TOM HALE", "PERSON"),
    ("MR. GRAY", "PERSON"),
    ("DOVER", "GEO"),
    ("ZED", "PERSON"),
    ("O'HARA", "UNKNOWN"),
    ("ZOE\u0308", ""),
    ("Anna Reed", "person"),
]
EDGES_TOLD = Path(__file__).with_name("edges.tsv")
EDGES = [
    ("TOM HALE", "ANNA REED", "Anna Reed is the wife of Tom Hale."),
    ("TOM HALE", "MR. GRAY", "Tom Hale hates Mr. Gray."),
    ("DOVER", "ANNA REED", "Anna Reed lived in Dover."),
    ("ANNA REED", "MR. GRAY", "Anna Reed never met Mr. Gray."),
    ("ANNA REED", "ZED", "Zed is a friend of Anna Reed."),
    ("O'HARA", "ZOE\u0308", "O'Hara is the brother of Zoë."),
]
GOLD = {
    ("anna-reed", "MARRIED_TO", "tom-hale", 1),
    ("anna-reed", "MARRIED_TO", "tom-hale", 3),
    ("tom-hale", "HATES", "mr-gray", 2),
    ("anna-reed", "LIVES_IN", "dover", 1),
    ("o-hara", "SIBLING_OF", "zoë", 3),
}
OWN = StoryKnowledgeGraph.from_log(StoryBuilder("b").mention("O'Hara").mention("Zoë").log).as_of(
    Horizon(None)
)


@pytest.fixture
def book():
    return document_from_text(BOOK, id="book", title="Book")


def verified(imported):
    for each in fields(StoryLog):
        for record in getattr(imported.log, each.name):
            for quote in record.evidence if isinstance(record.evidence, tuple) else (record.evidence,):
                quote.verify(imported.document.text)
                assert quote.chapter == record.told
    StoryKnowledgeGraph.from_log(imported.log).as_of(Horizon(None)).entities()
    return imported


def graphrag(folder, *, prefix="", chunks=None, edges=EDGES):
    """The tables as GraphRAG writes them, with columns that are not read."""
    half = BOOK.index("CHAPTER II\n")
    chunks = chunks or [
        BOOK[: half + 12],
        BOOK[half:].replace("\n", "  "),
        "Not a word of this book is here.",
    ]
    ids = [f"t{number}" for number in range(len(chunks))]
    tables = {
        "text_units": [{"id": i, "text": text, "n_tokens": 40} for i, text in zip(ids, chunks, strict=True)],
        "entities": [
            {"id": f"e{n}", "title": name, "type": kind, "text_unit_ids": ids, "x": 0.0}
            for n, (name, kind) in enumerate(NODES)
        ],
        "relationships": [
            {"source": one, "target": other, "description": said, "weight": 2.0, "text_unit_ids": ids}
            for one, other, said in edges
        ],
    }
    for name, rows in tables.items():
        parquet.write_table(pyarrow.Table.from_pylist(rows), folder / f"{prefix}{name}.parquet")
    return folder


def facts(log):
    return {(r.subject, r.predicate, r.object, r.told) for r in log.relations}


@pytest.mark.parametrize("prefix", ["", "create_final_"], ids=["2.x", "1.x"])
def test_graphrag(tmp_path, book, prefix):
    folder = graphrag(tmp_path, prefix=prefix)
    found = verified(import_story(folder, source="graphrag", document=book, view=OWN))
    assert facts(found.log) == GOLD
    assert dict(found.report.dropped) == {
        "chunks that do not stand in the text": 1,
        "edges with an end that has no mention": 1,
        "edges without a sentence that names both ends": 1,
        "entities whose name does not stand in their chunks": 1,
    }
    surfaces = [mention.surface for mention in found.log.mentions]
    assert {name: surfaces.count(name) for name in surfaces} == {
        "Anna Reed": 3, "Tom Hale": 3, "Mr. Gray": 2, "Dover": 1, "O'Hara": 2, "Zoë": 1,
    }  # fmt: skip
    assert all(relation.origin == "model" and relation.confidence == 0.5 for relation in found.log.relations)


def test_a_type_that_says_nothing_is_the_storys_own(tmp_path, book):
    kinds = {}
    for view in (OWN, None):
        found = import_story(graphrag(tmp_path), source="graphrag", document=book, view=view)
        kinds[view] = {mention.entity: mention.kind for mention in found.log.mentions}
    assert kinds[OWN]["dover"] is kinds[None]["dover"] is EntityKind.LOCATION
    assert kinds[OWN]["o-hara"] is kinds[OWN]["zoë"] is EntityKind.CHARACTER
    assert kinds[None]["o-hara"] is EntityKind.OBJECT


def test_graphrag_of_another_edition(tmp_path, book):
    """A foreign front, other marks, another spelling, and chunks that overlap."""
    text = "The Project Gutenberg eBook of Anna Reed\n\nby Nobody\n\n" + BOOK.replace("’", "'")
    text = text.replace("slept, and", "slept — and").upper().replace("LIVED IN", "DWELT IN")
    folder = graphrag(tmp_path, chunks=[text[:200], text[120:]])
    found = verified(import_story(folder, source="graphrag", document=book, view=OWN))
    assert facts(found.log) == GOLD


def test_a_reader_at_the_first_chapter_does_not_see_later_ties(tmp_path, book):
    found = import_story(graphrag(tmp_path), source="graphrag", document=book)
    early = StoryKnowledgeGraph.from_log(found.log).as_of(Horizon(1))
    assert {r.predicate for r in early.relations()} == {"MARRIED_TO", "LIVES_IN"}
    assert early.find("Mr. Gray") is None


def test_a_name_in_lower_case_is_no_name(tmp_path, book):
    parquet.write_table(
        pyarrow.Table.from_pylist([{"title": "MAY", "type": "PERSON", "text_unit_ids": ["t0", "t1"]}]),
        graphrag(tmp_path) / "entities.parquet",
    )
    assert import_story(tmp_path, source="graphrag", document=book).log == StoryLog()


def test_graphrag_of_another_book_gives_nothing_and_says_so(tmp_path):
    other = document_from_text("Nobody here is called so.", id="other", title="Other")
    found = verified(import_story(graphrag(tmp_path), source="graphrag", document=other))
    assert found.log == StoryLog()
    assert dict(found.report.dropped)["chunks that do not stand in the text"] == 3


def test_parquet_without_pyarrow_says_what_to_install(tmp_path, book, monkeypatch):
    graphrag(tmp_path)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ModelMissing, match="pip install pyarrow"):
        import_story(tmp_path, source="graphrag", document=book)


def test_damaged_and_missing_files_are_named(tmp_path, book):
    def refused(source, says):
        with pytest.raises((ProjectError, UsageError), match=says):
            import_story(tmp_path, source=source, document=book)

    refused("graphrag", "no text_units.parquet")
    refused("booknlp", "holds 0 files .tokens")
    refused("lightrag", "choose one of booknlp, graphrag")
    graphrag(tmp_path)
    parquet.write_table(pyarrow.Table.from_pylist([{"from": "x"}]), tmp_path / "relationships.parquet")
    refused("graphrag", r"relationships.parquet has no column source")
    (tmp_path / "entities.parquet").write_bytes(b"{nope")
    refused("graphrag", "entities.parquet cannot be read as Parquet")


def test_what_is_too_large_is_refused(tmp_path, book, monkeypatch):
    monkeypatch.setattr(importing, "MOST_BYTES", 100)
    monkeypatch.setattr("fabula.story.interchange.graphrag.MOST_BYTES", 100)
    for source, folder in (("graphrag", graphrag(tmp_path)), ("booknlp", booknlp(tmp_path))):
        with pytest.raises(ProjectError, match="more than 100 bytes"):
            import_story(folder, source=source, document=book)


@pytest.mark.parametrize(
    ("description", "predicate", "direction"), [*table(EDGES_TOLD), ("", "-", "as written")]
)
def test_what_an_edge_says(description, predicate, direction):
    read = (predicate.strip("-"), direction == "as written")
    assert edge_predicate(description, "a", "b") == read


@pytest.mark.parametrize(
    ("theirs", "ours", "same"),
    [
        ("a b c d e", "a b c d e", 5),
        ("x y z a b c d e", "a b c d e", 5),
        ("a b c d e f g h", "A b c d — e f G h", 8),
        ("a b c d q e f g h", "a b c d e f g h", 8),
        ("Zoe\u0308 said “no”, didn’t she", 'Zoë said "no", didn\'t she', 10),
        ("a a a a a a", "a a a", 3),
        ("one two three four five six seven eight", "five six seven eight one two three four", 4),
        ("", "a", 0),
        ("a", "", 0),
    ],
)
def test_alignment(theirs, ours, same):
    found = [place for place in Edition(theirs).aligned(Edition(ours)) if place >= 0]
    assert len(found) == same
    assert found == sorted(set(found))


TALE = "Anna Reed smiled at Tom.\n\n“I am here,” said Anna. She struck him.\n\n“Go,” he said.\n"


def booknlp(folder, *, shift=0):
    """The files as BookNLP 1.0.8 writes them, for the tale; every place of a word is off by ``shift``."""
    shutil.copytree(Path(__file__).with_name("tale"), folder, dirs_exist_ok=True)
    head, *tokens = [line.split("\t") for line in (folder / "tale.tokens").read_text("utf-8").splitlines()]
    moved = [[*row[:6], int(row[6]) + shift, int(row[7]) + shift, *row[8:]] for row in tokens]
    write(folder / "tale.tokens", [head, *moved])
    return folder


def write(path, rows):
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows), encoding="utf-8", newline="\n")


@pytest.mark.parametrize(
    ("text", "shift"),
    [(TALE, 0), (TALE.replace("\n", "\r\n"), 0), (TALE, 1), ("A title\n\n" + TALE, 0)],
    ids=["as read", "line ends", "byte order mark", "a title before"],
)
def test_booknlp(tmp_path, text, shift):
    document = document_from_text(text, id="tale", title="Tale")
    found = verified(import_story(booknlp(tmp_path, shift=shift), source="booknlp", document=document))
    log = found.log
    assert [(m.entity, m.surface, m.gender) for m in log.mentions] == [
        ("anna-reed", "Anna Reed", "f"),
        ("tom", "Tom", ""),
        ("anna-reed", "Anna", "f"),
    ]
    said = {(q.speaker, q.kind, q.evidence[0].quote) for q in log.quotations}
    assert said == {
        ("anna-reed", "explicit", "“I am here,”"),
        ("tom", "anaphoric", "“Go,”"),
        (None, "implicit", "“"),
    }
    assert [(e.verb, e.participants) for e in log.events] == [
        ("smile", (("agent", "anna-reed"),)),
        ("say", (("agent", "anna-reed"),)),
        ("strike", (("agent", "anna-reed"), ("patient", "tom"))),
        ("say", (("agent", "tom"),)),
    ]
    assert log.events[2].evidence[0].quote == "She struck him."
    assert dict(found.report.dropped) == {
        "deeds that are no events, or do not stand in the text": 1,
        "pronouns, and things without a name": 4,
    }


def test_booknlp_of_another_text_drops_what_does_not_stand_there(tmp_path):
    document = document_from_text("Anna Reed smiled at Max. “I am there,” said Anna.", id="t", title="T")
    found = verified(import_story(booknlp(tmp_path), source="booknlp", document=document))
    assert {m.surface for m in found.log.mentions} == {"Anna Reed", "Anna"}
    dropped = dict(found.report.dropped)
    assert dropped["quotations that do not stand in the text"] == 2
    assert dropped["words that do not stand in the text"] > 0


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("tale.tokens", "word\nx\n"),
        ("tale.entities", "COREF\tstart_token\tend_token\tprop\tcat\ttext\n1\tx\t99\tPROP\tPER\tX\n"),
        (
            "tale.quotes",
            "quote_start\tquote_end\tmention_start\tmention_end\tchar_id\tquote\nx\t1\t1\t1\t1\ty\n",
        ),
        ("tale.book", "{}"),
    ],
)
def test_damaged_booknlp_files_are_named(tmp_path, book, file, content):
    (booknlp(tmp_path) / file).write_text(content)
    with pytest.raises(ProjectError, match=file):
        import_story(tmp_path, source="booknlp", document=book)


BEFORE = "The Project Gutenberg eBook of The Mill\n\nThis eBook is for the use of anyone, anywhere.\n\n"
SCENE = '{0}.\n\nJosé walked to mill number {0}. "Good day," said Zoë. José told Zoë about letter {0}.\n\n'


def of_editions(folder, theirs, ours):
    """A run over the text ``theirs``, every "José" and "Zoë" in it a mention and every speech a quotation;
    what is kept of it in ``ours``."""
    words = [(each[0], each.start()) for each in re.finditer(r"\w+|[^\w\s]", theirs)]
    head = "paragraph_ID token_ID_within_document word lemma byte_onset event".split()
    write(folder / "x.tokens", [head, *([0, n, word, word, at, "O"] for n, (word, at) in enumerate(words))])
    named = [(n, word) for n, (word, _) in enumerate(words) if word in ("José", "Zoë")]
    rows = [[len(word), n, n, "PROP", "PER", word] for n, word in named]
    write(folder / "x.entities", [["COREF", "start_token", "end_token", "prop", "cat", "text"], *rows])
    marks = [n for n, (word, _) in enumerate(words) if word in '"“”']
    rows = [[one, two, "None", "None", "None"] for one, two in zip(marks[::2], marks[1::2], strict=True)]
    head = ["quote_start", "quote_end", "mention_start", "mention_end", "char_id"]
    write(folder / "x.quotes", [head, *rows])
    document = document_from_text(ours, id="x", title="X")
    log = verified(import_story(folder, source="booknlp", document=document)).log
    assert {mention.surface for mention in log.mentions} == {"José", "Zoë"}
    said = {" ".join(quotation.evidence[0].quote.split()) for quotation in log.quotations}
    assert said == {'"Good day,"'}
    return len(log.mentions), len(log.quotations)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (lambda text: BEFORE + text, lambda text: text),
        (lambda text: text, lambda text: BEFORE + text),
        (lambda text: BEFORE + text + BEFORE, lambda text: "THE MILL\n\n" + text + "\n\nTHE END"),
        (lambda text: text, lambda text: text.replace("\n\n", "\r\n\r\n").replace(" ", "  ")),
        (lambda text: text.replace(' "', " “").replace('," ', ",” "), lambda text: text),
        (lambda text: text.replace("walked", "went slowly"), lambda text: text),
        (lambda text: text.replace("letter", "_letter_"), lambda text: text),
        (lambda text: text.replace("19.\n", "19.\n\n" + BEFORE), lambda text: text),
    ],
    ids=["front", "our front", "both", "blanks", "marks", "a wording", "italics", "a note between"],
)
def test_editions_are_aligned(tmp_path, theirs, ours):
    text = "".join(SCENE.format(number) for number in range(1, 41))
    assert of_editions(tmp_path, theirs(text), ours(text)) == (160, 40)


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_the_encoding_that_fails_is_named(tmp_path, book, encoding):
    file = booknlp(tmp_path) / "tale.entities"
    file.write_bytes(file.read_text(encoding="utf-8").replace("Tom", "Zoë").encode(encoding))
    with pytest.raises(ProjectError, match=rf"tale.entities is not in UTF-8 .*(?i:{encoding})"):
        import_story(tmp_path, source="booknlp", document=book)


def test_no_quotation_runs_into_the_next_chapter(tmp_path):
    text = TALE.replace("\n\n“Go", "\n\nCHAPTER 2\n\n“Go")
    document = document_from_text("CHAPTER 1\n\n" + text, id="tale", title="Tale")
    file = booknlp(tmp_path) / "tale.quotes"
    file.write_text(file.read_text(encoding="utf-8").replace("6\t11\t", "6\t22\t"), encoding="utf-8")
    found = verified(import_story(tmp_path, source="booknlp", document=document))
    assert [quotation.evidence[0].quote for quotation in found.log.quotations] == ["“", "“Go,”"]
