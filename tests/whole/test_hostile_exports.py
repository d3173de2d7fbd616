"""No file that the product writes acts, whatever the story and its names say: each is read by the strictest
reader of its form."""

import csv
import io
import json
import re
import zipfile
from pathlib import Path

import docx
import networkx
import pytest
import yaml
from lxml import etree, html
from tests.stories.hostile_story import CANARY, HIDDEN, hostile_project
from tests.tables import file_text

from fabula.views.bible_files.formats import FORMATS

EVIL = "=cmd|'/C calc'!A0 <img src=http://127.0.0.1/x onerror=alert(1)> {{{x}}} [[../../up]] \x1b[31m\u202e"
ACTING = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
EXPORTS = file_text(__file__, "exports.txt").splitlines()


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    place = tmp_path_factory.mktemp("hostile")
    bela = {"name": EVIL, "aliases": ["Bela", "Bela Voss"], "death": {"chapter": 1}, "description": HIDDEN[8]}
    codex = {"characters": [bela, {"name": "Anna", "relations": [{"predicate": "hates", "to": EVIL}]}]}
    (place / "codex.yaml").write_text(yaml.safe_dump(codex | {"rules": HIDDEN[:3]}), encoding="utf-8")
    hostile_project(place, codex=place / "codex.yaml")
    draft = docx.Document()
    draft.add_paragraph(f"Bela walked to the mill. {HIDDEN[8]} Bela sang. Anna loved Bela.")
    draft.save(place / "draft.docx")
    (place / "topics.tsv").write_text(f"q1\t{CANARY} letter\n", encoding="utf-8")
    return place


def opened(ending, text):
    """The text, once the strictest reader of its form has read it and found nothing that acts."""
    match ending:
        case ".html":
            page = html.fromstring(text)
            names = {f"{one.tag} {name}" for one in page.iter() for name in one.attrib}
            assert len(page.xpath("//script")) == 1 and not re.search(r" on\w+|img|style ", " ".join(names))
            assert not re.search("//", " ".join(page.xpath("//@href | //@src")))
        case ".md":
            _, head, body = text.split("---\n", 2) if text.startswith("---\n") else ("", "", text)
            assert not re.search(r"(?<!\\)(<\w|!\[)", body) and yaml.safe_load(head) is not str
        case ".graphml":
            networkx.parse_graphml(text)
        case ".csv":
            for row in csv.reader(io.StringIO(text, newline=""), strict=True):
                assert not [cell for cell in row if re.match(r"\s*[=+@-](?![\d.e-]+$)", cell)]
        case ".json" | ".cyjs" | ".canvas" | ".sarif":
            json.loads(text, parse_constant=pytest.fail)
        case ".run":
            assert re.fullmatch(r"(q1 Q0 \S+ \d+ [\d.]+ fabula-\w+\n)+", text)
        case ".xml" | ".rels":
            assert "127.0.0.1" not in "".join(etree.fromstring(text.encode()).xpath("//@Target"))
    return text


@pytest.mark.parametrize("asked", EXPORTS)
def test_no_file_acts_whatever_the_story_says(hostile, run_cli, tmp_path, asked):
    ran = run_cli(*asked.format(here=hostile, out=tmp_path).split())
    assert ran.code == 0, ran.err
    said, files = opened(".run", ran.out) if "topics" in asked else "", list(tmp_path.rglob("*.*"))
    for path in files:
        data = {path.name: path.read_bytes()}
        if path.suffix == ".docx":
            with zipfile.ZipFile(path) as archive:
                data = {one: archive.read(one) for one in archive.namelist() if one.endswith(("xml", "rels"))}
        said += "".join(opened(Path(one).suffix, content.decode()) for one, content in data.items())
        assert "CANARY" not in path.name and path.resolve().is_relative_to(tmp_path)
    assert not re.search(ACTING, said)
    assert "search" in asked or ("Bela" in said and ("cmd" in said or "check" in asked))


def test_every_format_of_a_bible_is_asked_for():
    assert {asked.split()[3] for asked in EXPORTS if asked.startswith("bible")} == set(FORMATS)
