"""Imports: other programs' graphs, with no quote that the text does not hold."""

import json
import sys
from dataclasses import fields, replace

import networkx as nx
import pytest

from fabula.core.documents import document_from_text
from fabula.core.types import Horizon
from fabula.errors import ModelMissing, ProjectError, UsageError
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph
from fabula.story.interchange.edge_words import edge_predicate
from fabula.story.interchange.importing import import_story
from fabula.story.interchange.story_json import story_json
from fabula.story.interchange.tables import listed
from fabula.story.model.types import EntityKind, StoryLog

from .test_exporting import told_story, view_of

BOOK = (
    "CHAPTER I\n\nAnna Reed lived in Dover. Anna Reed married Tom Hale.\n\n"
    "CHAPTER II\n\nTom Hale hated Mr. Gray. Mr. Gray slept, and may have dreamt.\n\n"
    "CHAPTER III\n\nAnna Reed and Tom Hale wept.\n"
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


NODES = [
    ("Anna Reed", "person"),
    ("Tom Hale", "Person"),
    ("Mr. Gray", "PERSON"),
    ("Dover", "geo"),
    ("Zed", "person"),
]


EDGES = [
    ("Tom Hale", "Anna Reed", "marriage, love", "Anna Reed is the wife of Tom Hale."),
    ("Tom Hale", "Mr. Gray", "conflict", "Tom Hale hates Mr. Gray."),
    ("Dover", "Anna Reed", "home", "Anna Reed lived in Dover."),
    ("Anna Reed", "Mr. Gray", "", "Anna Reed never met Mr. Gray."),
    ("Anna Reed", "Zed", "friendship", "Zed is a friend of Anna Reed."),
]


def lightrag(folder, *, quoted=False):
    graph = nx.Graph()
    for name, kind in NODES:
        key = f'"{name.upper()}"' if quoted else name
        graph.add_node(
            key, entity_type=kind, description="d", source_id="chunk-1<SEP>chunk-2", file_path="b.txt"
        )
    for one, other, keywords, description in EDGES:
        ends = [f'"{name.upper()}"' if quoted else name for name in (one, other)]
        graph.add_edge(
            *ends, weight=1.0, keywords=keywords, description=description, source_id="chunk-1<SEP>chunk-2"
        )
    nx.write_graphml(graph, folder / "graph_chunk_entity_relation.graphml")
    half = BOOK.index("CHAPTER II\n") + 12
    chunks = {
        "chunk-1": {
            "content": BOOK[:half].strip(),
            "chunk_order_index": 0,
            "full_doc_id": "doc-1",
            "tokens": 9,
        },
        "chunk-2": {
            "content": BOOK[half - 12 :].replace("\n", "  ").strip(),
            "chunk_order_index": 1,
            "full_doc_id": "doc-1",
        },
        "chunk-3": {"content": "Not of this book.", "chunk_order_index": 2, "full_doc_id": "doc-1"},
    }
    (folder / "kv_store_text_chunks.json").write_text(json.dumps(chunks))
    (folder / "kv_store_full_docs.json").write_text(json.dumps({"doc-1": {"content": BOOK}}))
    return folder


def graphrag(folder, *, suffix="json", prefix=""):
    units = [{"id": "u1", "text": BOOK, "document_ids": ["d"], "n_tokens": 40}]
    entities = [
        {
            "id": str(i),
            "human_readable_id": i,
            "title": name.upper(),
            "type": kind.upper(),
            "description": "d",
            "text_unit_ids": ["u1"],
        }
        for i, (name, kind) in enumerate(NODES)
    ]
    edges = [
        {
            "id": str(i),
            "source": one.upper(),
            "target": other.upper(),
            "description": description,
            "weight": 2.0,
            "text_unit_ids": ["u1"],
        }
        for i, (one, other, _, description) in enumerate(EDGES)
    ]
    for name, rows in (
        ("text_units", units),
        ("entities", entities),
        ("relationships", edges),
        ("documents", [{"id": "d", "text": BOOK}]),
    ):
        path = folder / f"{prefix}{name}.{suffix}"
        if suffix == "json":
            path.write_text(json.dumps(rows))
        elif suffix == "parquet":
            import pyarrow
            from pyarrow import parquet

            parquet.write_table(pyarrow.Table.from_pylist(rows), path)
        else:
            import csv

            with path.open("w", newline="", encoding="utf-8") as out:
                writer = csv.DictWriter(out, rows[0])
                writer.writeheader()
                writer.writerows(rows)
    return folder


def facts(log):
    return {(r.subject, r.predicate, r.object, r.told) for r in log.relations}


GOLD = {
    ("anna-reed", "MARRIED_TO", "tom-hale", 1),
    ("anna-reed", "MARRIED_TO", "tom-hale", 3),
    ("tom-hale", "HATES", "mr-gray", 2),
    ("anna-reed", "LIVES_IN", "dover", 1),
}


@pytest.mark.parametrize("given", [True, False], ids=["text given", "text of the export"])
def test_lightrag(tmp_path, book, given):
    found = verified(import_story(lightrag(tmp_path), source="lightrag", document=book if given else None))
    assert facts(found.log) == GOLD
    assert found.report.text == ("given" if given else "in the export")
    assert dict(found.report.dropped) == {
        "chunks that do not stand in the text": 1,
        "edges with an end that has no mention": 1,
        "edges without a sentence that names both ends": 1,
        "entities whose name does not stand in their chunks": 1,
    }
    kinds = {m.entity: m.kind for m in found.log.mentions}
    assert kinds["dover"] is EntityKind.LOCATION
    assert all(relation.origin == "model" and relation.confidence <= 0.5 for relation in found.log.relations)


def test_lightrag_before_1_1_shouts_its_names(tmp_path, book):
    found = verified(import_story(lightrag(tmp_path, quoted=True), source="lightrag", document=book))
    assert facts(found.log) == GOLD
    surfaces = {m.surface for m in found.log.mentions}
    assert surfaces == {"Anna Reed", "Tom Hale", "Mr. Gray", "Dover"}


@pytest.mark.parametrize("suffix", ["json", "csv", "parquet"])
@pytest.mark.parametrize("prefix", ["", "create_final_"], ids=["2.x", "1.x"])
def test_graphrag(tmp_path, book, suffix, prefix):
    found = verified(
        import_story(graphrag(tmp_path, suffix=suffix, prefix=prefix), source="graphrag", document=book)
    )
    assert facts(found.log) == GOLD


def test_a_reader_at_the_first_chapter_does_not_see_later_ties(tmp_path, book):
    found = import_story(lightrag(tmp_path), source="lightrag", document=book)
    early = StoryKnowledgeGraph.from_log(found.log).as_of(Horizon(1))
    assert {r.predicate for r in early.relations()} == {"MARRIED_TO", "LIVES_IN"}
    assert early.find("Mr. Gray") is None


def test_a_name_in_lower_case_is_no_name(tmp_path, book):
    folder = graphrag(tmp_path)
    rows = json.loads((folder / "entities.json").read_text())
    rows.append({"title": "MAY", "type": "PERSON", "text_unit_ids": ["u1"]})
    (folder / "entities.json").write_text(json.dumps(rows))
    found = import_story(folder, source="graphrag", document=book)
    assert "may" not in {m.entity for m in found.log.mentions}


def test_another_text_gives_nothing_and_says_so(tmp_path):
    other = document_from_text("Nobody here is called so.", id="other", title="Other")
    found = verified(import_story(lightrag(tmp_path), source="lightrag", document=other))
    assert found.log == StoryLog()
    assert dict(found.report.dropped)["chunks that do not stand in the text"] == 3


def test_parquet_without_pyarrow_says_what_to_install(tmp_path, monkeypatch):
    graphrag(tmp_path, suffix="parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ModelMissing, match="pip install pyarrow"):
        import_story(tmp_path, source="graphrag")


@pytest.mark.parametrize(
    ("file", "content", "says"),
    [
        ("entities.json", "{nope", "damaged"),
        ("entities.json", '[{"kind": "x"}]', "neither title nor name"),
        ("relationships.json", '[{"from": "x"}]', "no column source, target"),
        ("text_units.json", "[1]", "damaged"),
    ],
)
def test_damaged_graphrag_tables_are_named(tmp_path, file, content, says):
    (graphrag(tmp_path) / file).write_text(content)
    with pytest.raises(ProjectError, match=says):
        import_story(tmp_path, source="graphrag")


@pytest.mark.parametrize("content", ["", "<a", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'])
def test_damaged_graphml_is_refused(tmp_path, content):
    (lightrag(tmp_path) / "graph_chunk_entity_relation.graphml").write_text(content)
    with pytest.raises(ProjectError, match="graph_chunk_entity_relation"):
        import_story(tmp_path, source="lightrag")


def test_missing_files_are_named(tmp_path):
    with pytest.raises(ProjectError, match="graph_chunk"):
        import_story(tmp_path, source="lightrag")
    with pytest.raises(ProjectError, match="no table text_units"):
        import_story(tmp_path, source="graphrag")
    with pytest.raises(ProjectError, match="entities file"):
        import_story(tmp_path, source="booknlp")
    with pytest.raises(UsageError, match="choose one of booknlp"):
        import_story(tmp_path, source="neo4j")


def test_lists_in_cells():
    for cell, ids in (
        (["a", "b"], ("a", "b")),
        ('["a", "b"]', ("a", "b")),
        ("['a' 'b']", ("a", "b")),
        ("['a', 'b']", ("a", "b")),
        ("['a'\n 'b']", ("a", "b")),
        ("a,b", ("a", "b")),
        ("['a']", ("a",)),
        ("[]", ()),
        (None, ()),
        ("[a", ("a",)),
    ):
        assert listed(cell) == ids, (cell, ids)


def test_what_an_edge_says():
    for keywords, description, read in (
        ("", "A is the mother of B.", ("PARENT_OF", True)),
        ("", "B is the mother of A.", ("PARENT_OF", False)),
        ("", "A was killed by B.", ("KILLS", False)),
        ("", "A is not a friend of B.", None),
        ("", "A was once a friend of B.", None),
        ("friendship", "A and B.", ("FRIEND_OF", True)),
        ("", "A and B appear in the same scene.", None),
        ("", "A might betray B. A is the brother of B.", ("SIBLING_OF", True)),
        ("", "A distrusts B.", ("DISTRUSTS", True)),
    ):
        assert edge_predicate(keywords, description, first="A", second="B") == read, (
            keywords,
            description,
            read,
        )


TALE = "Anna Reed smiled at Tom.\n\n“I am here,” said Anna. She struck him.\n\n“Go,” he said.\n"


def booknlp(folder, text=TALE, *, shift=0):
    """The files as BookNLP 1.0.8 writes them, for the tale."""
    words, tokens, at, paragraph, sentence = [], [], 0, 0, 0
    for (
        word
    ) in "Anna Reed smiled at Tom . “ I am here , ” said Anna . She struck him . “ Go , ” he said .".split():
        at = TALE.index(word, at)
        if words and "\n\n" in TALE[words[-1][1] : at]:
            paragraph += 1
        words.append((word, at + len(word)))
        event = "EVENT" if word in ("smiled", "said", "struck") else "O"
        lemma = {"smiled": "smile", "said": "say", "struck": "strike"}.get(word, word.lower())
        number = len(tokens)
        tokens.append(
            [
                paragraph,
                sentence,
                0,
                number,
                word,
                lemma,
                at + shift,
                at + len(word) + shift,
                "X",
                "X",
                "dep",
                0,
                event,
            ]
        )
        at += len(word)
        if word == ".":
            sentence += 1
    head = (
        "paragraph_ID sentence_ID token_ID_within_sentence token_ID_within_document word lemma byte_onset "
        "byte_offset POS_tag fine_POS_tag dependency_relation syntactic_head_ID event"
    ).split()
    write(folder / "tale.tokens", [head, *tokens])
    write(
        folder / "tale.entities",
        [
            ["COREF", "start_token", "end_token", "prop", "cat", "text"],
            [7, 0, 1, "PROP", "PER", "Anna Reed"],
            [9, 4, 4, "PROP", "PER", "Tom"],
            [7, 7, 7, "PRON", "PER", "I"],
            [7, 13, 13, "PROP", "PER", "Anna"],
            [7, 15, 15, "PRON", "PER", "She"],
            [9, 17, 17, "PRON", "PER", "him"],
            [9, 23, 23, "PRON", "PER", "he"],
        ],
    )
    write(
        folder / "tale.quotes",
        [
            [
                "quote_start",
                "quote_end",
                "mention_start",
                "mention_end",
                "mention_phrase",
                "char_id",
                "quote",
            ],
            [6, 11, 13, 13, "Anna", 7, "“ I am here , ”"],
            [19, 22, 23, 23, "he", 9, "“ Go , ”"],
            [19, 19, "None", "None", "None", "None", "“"],
        ],
    )
    write(
        folder / "tale.supersense",
        [["start_token", "end_token", "supersense_category", "text"], [2, 2, "verb.body", "smiled"]],
    )
    gender = {"inference": {}, "argmax": "she/her", "max": 0.9, "total": 3}
    characters = [
        {
            "id": 7,
            "agent": [
                {"w": "smiled", "i": 2},
                {"w": "am", "i": 8},
                {"w": "said", "i": 12},
                {"w": "struck", "i": 16},
            ],
            "patient": [],
            "mod": [],
            "poss": [],
            "g": gender,
            "count": 4,
            "mentions": {},
        },
        {
            "id": 9,
            "agent": [{"w": "said", "i": 24}],
            "patient": [{"w": "struck", "i": 16}],
            "mod": [],
            "poss": [],
            "g": None,
            "count": 3,
            "mentions": {},
        },
    ]
    (folder / "tale.book").write_text(json.dumps({"characters": characters}))
    return folder


def write(path, rows):
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows), encoding="utf-8", newline="\n")


@pytest.mark.parametrize(
    ("text", "shift"),
    [(TALE, 0), (TALE.replace("\n", "\r\n"), 0), (TALE, 1), ("A title\n\n" + TALE, 0), (None, 0)],
    ids=["as read", "line ends", "byte order mark", "a title before", "no text"],
)
def test_booknlp(tmp_path, text, shift):
    document = document_from_text(text, id="tale", title="Tale") if text else None
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
        "deeds that BookNLP does not take for events": 1,
        "pronouns (kept only as speakers' signs)": 4,
    }
    assert found.report.notes[1].startswith("1 supersenses")


def test_booknlp_of_another_text_drops_what_does_not_stand_there(tmp_path):
    document = document_from_text("Anna Reed smiled at Max. “I am there,” said Anna.", id="t", title="T")
    found = verified(import_story(booknlp(tmp_path), source="booknlp", document=document))
    assert {m.surface for m in found.log.mentions} == {"Anna Reed", "Anna"}
    dropped = dict(found.report.dropped)
    assert dropped["quotations that read otherwise in the text"] == 3
    assert dropped["words that do not stand in the text"] > 0


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("tale.tokens", "word\nx\n"),
        ("tale.entities", "COREF\tstart_token\tend_token\tprop\tcat\ttext\n1\t5\t99\tPROP\tPER\tX\n"),
        (
            "tale.quotes",
            "quote_start\tquote_end\tmention_start\tmention_end\tchar_id\tquote\nx\t1\t1\t1\t1\ty\n",
        ),
        ("tale.book", "{}"),
    ],
)
def test_damaged_booknlp_files_are_named(tmp_path, file, content):
    (booknlp(tmp_path) / file).write_text(content)
    with pytest.raises(ProjectError, match=file):
        import_story(tmp_path, source="booknlp")


def test_our_own_export_comes_back_and_a_false_quote_does_not(tmp_path):
    log = told_story()
    text = "".join(each for each in _text_of(log))
    document = document_from_text(text, id="tale", title="Tale")
    file = tmp_path / "story.json"
    file.write_text(story_json(view_of(log), document_id="tale", title="Tale"), encoding="utf-8")
    found = import_story(file, source="fabula", document=document)
    assert found.log == log
    assert found.report.dropped == ()
    false = replace(
        log,
        relations=(
            replace(
                log.relations[0], evidence=(replace(log.relations[0].evidence[0], quote="Ana hated Tom."),)
            ),
        ),
    )
    file.write_text(story_json(view_of(false), document_id="tale", title="Tale"), encoding="utf-8")
    found = import_story(file, source="fabula", document=document)
    assert found.log == replace(log, relations=())
    assert dict(found.report.dropped) == {"relations with a quote that is not in the text": 1}
    with pytest.raises(UsageError, match="give the text"):
        import_story(file, source="fabula")


def _text_of(log):
    """The text that the log's quotes stand in, rebuilt from them."""
    quotes = {}
    for each in fields(StoryLog):
        for record in getattr(log, each.name):
            for quote in record.evidence if isinstance(record.evidence, tuple) else (record.evidence,):
                quotes[quote.span] = quote.quote
    end = 0
    for span in sorted(quotes):
        yield " " * (span.start - end) + quotes[span]
        end = span.end
