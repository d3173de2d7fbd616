import re
import shutil
from dataclasses import fields
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet
from tests.stories.examples import rows as table

from fabula.core.documents import document_from_text
from fabula.core.types import Horizon
from fabula.errors import ProjectError
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.interchange import importing
from fabula.story.model.types import EntityKind

HERE = Path(__file__).parent
BOOK = (
    "CHAPTER I\n\nAnna Reed lived in Dover. Anna Reed married Tom Hale.\n\n"
    "CHAPTER II\n\nTom Hale hated Mr. Gray. Mr. Gray slept, and may have dreamt.\n\n"
    "CHAPTER III\n\nAnna Reed and Tom Hale wept. O’Hara was Zoë's brother, and \"O'Hara\" is a name.\n"
)
CHUNKS = (BOOK[:82], BOOK[70:].replace("\n", "  "), "Not a word of this book is here.")
PEOPLE = ("ANNA REED", "TOM HALE", "MR. GRAY", "ZED", "O'HARA", "ZOE\u0308", "Anna Reed", "MAY")
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


def imported(folder, source, text=BOOK, **more):
    """Every quote of it stands in the text, in the chapter that tells it."""
    document = document_from_text(text, id="book", title="Book")
    log, dropped = importing.import_story(folder, source, document, **more)
    for record in (record for each in fields(log) for record in getattr(log, each.name)):
        for quote in record.evidence if isinstance(record.evidence, tuple) else (record.evidence,):
            quote.verify(text)
            assert quote.chapter == record.told
    return log, dropped


def graphrag(folder, *, prefix="", chunks=CHUNKS, people=PEOPLE, edges=EDGES, kind="PERSON"):
    """The tables as GraphRAG writes them, with columns that are not read."""
    ids = [f"t{number}" for number in range(len(chunks))]
    named = [*((name, kind) for name in people), ("DOVER", "GEO")]
    tables = {
        "text_units": [{"id": i, "text": text, "n_tokens": 40} for i, text in zip(ids, chunks, strict=True)],
        "entities": [{"title": name, "type": kind, "text_unit_ids": ids, "x": 0.0} for name, kind in named],
        "relationships": [
            {"source": one, "target": other, "description": said, "weight": 2.0, "text_unit_ids": ids}
            for one, other, said in edges
        ],
    }
    for name, rows in tables.items():
        write_table(rows, folder / f"{prefix}{name}.parquet")
    return folder


def write_table(rows, path):
    parquet.write_table(pyarrow.Table.from_pylist(rows), path)


def facts(log):
    return {(r.subject, r.predicate, r.object, r.told) for r in log.relations}


@pytest.mark.parametrize("prefix", ["", "create_final_"], ids=["2.x", "1.x"])
def test_graphrag(tmp_path, prefix):
    log, dropped = imported(graphrag(tmp_path, prefix=prefix), "graphrag")
    assert facts(log) == GOLD
    assert {(each.origin, each.confidence) for each in log.relations} == {("model", 0.5)}
    assert dropped == {
        "chunks that are not in the text": 1,
        "edges of things, or without a sentence that names both ends": 2,
        "entities whose name is not in their chunks": 2,  # Zed; May is but a word in small letters
    }
    surfaces = [mention.surface for mention in log.mentions]
    assert {name: surfaces.count(name) for name in surfaces} == {
        "Anna Reed": 3, "Tom Hale": 3, "Mr. Gray": 2, "Dover": 1, "O'Hara": 2, "Zoë": 1,
    }  # fmt: skip
    early = StoryKnowledgeGraph.from_log(log).as_of(Horizon(1))
    assert {r.predicate for r in early.relations()} == {"MARRIED_TO", "LIVES_IN"}
    assert early.find("Mr. Gray") is None


def test_an_unknown_type_is_that_of_the_storys_own_graph(tmp_path):
    folder, own = graphrag(tmp_path, kind="UNKNOWN"), dict.fromkeys(PEOPLE, EntityKind.CHARACTER)
    assert "MARRIED_TO" not in str(facts(imported(folder, "graphrag")[0]))
    assert facts(imported(folder, "graphrag", own=own)[0]) == GOLD


def test_graphrag_of_another_edition_and_of_another_book(tmp_path):
    text = "The Project Gutenberg eBook of Anna Reed\n\nby Nobody\n\n" + BOOK.replace("’", "'")
    text = text.replace("slept, and", "slept — and").upper().replace("LIVED IN", "DWELT IN")
    folder = graphrag(tmp_path, chunks=[text[:200], text[120:]])
    assert facts(imported(folder, "graphrag")[0]) == GOLD
    log, dropped = imported(folder, "graphrag", "Nobody here lives in Dover")
    assert not log.mentions and dropped["chunks that are not in the text"] == 2


@pytest.mark.parametrize(("description", "predicate", "direction"), table(HERE / "edges.tsv"))
def test_what_an_edge_says(tmp_path, description, predicate, direction):
    text = "Ann knew Bob. Ann saw Bob. Dover."
    edge = re.sub(r"\bA\b", "ANN", re.sub(r"\bB\b", "BOB", description))
    folder = graphrag(tmp_path, chunks=[text], people=["Ann", "Bob"], edges=[("ANN", "BOB", edge)])
    (found,) = imported(folder, "graphrag", text)[0].relations
    assert (found.predicate, found.confidence) == (("KNOWS", 0.3) if predicate == "-" else (predicate, 0.5))
    assert found.subject == ("ann" if direction == "as written" else "bob")


TALE = "Anna Reed smiled at Tom.\n\n“I am here,” said Anna. She struck him.\n\n“Go,” he said.\n"


def booknlp(folder):
    shutil.copytree(HERE / "tale", folder, dirs_exist_ok=True)
    return folder


@pytest.mark.parametrize("text", [TALE, TALE.replace("\n", "\r\n"), "A title\n\n" + TALE])
def test_booknlp(tmp_path, text):
    log, dropped = imported(booknlp(tmp_path), "booknlp", text)
    names = [(m.entity, m.surface) for m in log.mentions]
    assert names == [("anna-reed", "Anna Reed"), ("tom", "Tom"), ("anna-reed", "Anna")]
    assert {(q.speaker, q.evidence[0].quote, q.confidence) for q in log.quotations} == {
        ("anna-reed", "“I am here,”", 0.8),
        ("tom", "“Go,”", 0.8),
        (None, "“", 0.0),
    }
    assert dropped == {"pronouns, and things without a name": 4}


def test_booknlp_of_another_text_or_over_a_chapters_end_drops_what_does_not_stand_there(tmp_path):
    log, dropped = imported(booknlp(tmp_path), "booknlp", "Anna Reed smiled at Max. “I am there,” said Anna.")
    assert {m.surface for m in log.mentions} <= {"Anna Reed", "Anna"}
    assert dropped["quotations that are not in the text"] == 2
    assert dropped["mentions that are not in the text"] >= 1
    file = booknlp(tmp_path) / "tale.quotes"
    file.write_text(file.read_text(encoding="utf-8").replace("6\t11\t", "6\t22\t"), encoding="utf-8")
    log, _ = imported(tmp_path, "booknlp", "CHAPTER 1\n\n" + TALE.replace("\n\n“Go", "\n\nCHAPTER 2\n\n“Go"))
    assert [quotation.evidence[0].quote for quotation in log.quotations] == ["“", "“Go,”"]


BEFORE = "The Project Gutenberg eBook of The Mill\n\nThis eBook is for the use of anyone, anywhere.\n\n"
SCENE = '{0}.\n\nJosé walked to mill number {0}. "Good day," said Zoë. José told Zoë about letter {0}.\n\n'


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (lambda text: BEFORE + text, lambda text: text),
        (lambda text: BEFORE + text + BEFORE, lambda text: "THE MILL\n\n" + text + "\n\nTHE END"),
        (lambda text: text, lambda text: text.replace("\n\n", "\r\n\r\n").replace(" ", "  ")),
        (lambda text: text.replace(' "', " “").replace('," ', ",” "), lambda text: text),
        (lambda text: text.replace("walked", "went slowly"), lambda text: text),
        (lambda text: text.replace("letter", "_letter_"), lambda text: text),
        (lambda text: text.replace("19.\n", "19.\n\n" + BEFORE), lambda text: text),
    ],
    ids=["front", "both", "blanks", "marks", "a wording", "italics", "a note between"],
)
def test_editions_are_aligned(tmp_path, theirs, ours):
    """Every name and every speech of another edition is found in ours."""
    text = "".join(SCENE.format(number) for number in range(1, 41))
    words = re.findall(r"\w+|[^\w\s]", theirs(text))
    marks = [n for n, word in enumerate(words) if word in '"“”']
    people = [f"{len(w)}\t{n}\t{n}\tPROP\tPER\t{w}" for n, w in enumerate(words) if w in ("José", "Zoë")]
    speeches = [f"{one}\t{two}\tNone" for one, two in zip(marks[::2], marks[1::2], strict=True)]
    tables = {
        "tokens": ["word", *words],
        "entities": ["COREF\tstart_token\tend_token\tprop\tcat\ttext", *people],
        "quotes": ["quote_start\tquote_end\tchar_id", *speeches],
    }
    for ending, lines in tables.items():
        (tmp_path / f"x.{ending}").write_text("\n".join(lines), encoding="utf-8")
    log, _ = imported(tmp_path, "booknlp", ours(text))
    assert [mention.surface for mention in log.mentions] == ["José", "Zoë", "José", "Zoë"] * 40
    assert [quotation.evidence[0].line for quotation in log.quotations] == ['"Good day,"'] * 40


ENTITIES = "COREF\tstart_token\tend_token\tprop\tcat\ttext\n1\t0\t0\tPROP\tPER\tZo\u00eb\n"


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("tale.tokens", b"lemma\nx\n"),
        ("tale.entities", ENTITIES.replace("0", "x").encode()),
        ("tale.entities", ENTITIES.replace("0", "9" * 5_000).encode()),
        ("tale.entities", ENTITIES.encode("cp1252")),
        ("tale.entities", ENTITIES.encode("utf-16")),
        ("tale.quotes", b"quote_start\tquote_end\tchar_id\n1\n"),
        ("tale.entities", None),
        ("entities.parquet", b"{nope"),
        ("relationships.parquet", [{"from": "x"}]),
        ("entities.parquet", [{"title": "x", "type": "x", "text_unit_ids": 7}]),
        ("text_units.parquet", None),
        ("text_units.parquet", [{"id": "x", "text": "a" * 1_000_000}] * 31),
        ("tale.tokens", b"word\n" + b"a\n" * 51_000_000),
    ],
)
def test_what_is_damaged_missing_or_too_large_is_named_in_one_line(tmp_path, file, content):
    source = "booknlp" if file.startswith("tale") else "graphrag"
    path = (booknlp if source == "booknlp" else graphrag)(tmp_path) / file
    if content is None:
        path.unlink()
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        write_table(content, path)
    with pytest.raises(ProjectError, match=rf"{file} (cannot be used|unpacks to over|has more than)") as told:
        imported(tmp_path, source)
    assert "\n" not in str(told.value)
    assert content != ENTITIES.encode("cp1252") or "it is not in UTF-8, perhaps in" in str(told.value)
