import io
import json
import shutil

import pytest
from PIL import Image
from tests.scripted import ScriptedGenerator
from tests.stories.answering import answering
from tests.stories.printed_book import printed_book

from fabula.api.schema.shapes import answer_shown, search_shown
from fabula.engine import Project, index_book
from fabula.errors import ProjectError, UsageError
from fabula.project.creating import Reindexing
from fabula.project.page_picture import show_page
from fabula.story.evidence.untrusted import neutralise

QUESTION = "Whose letter did Anna Dahl read?"


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("printed")
    (folder / "ferry.pdf").write_bytes(printed_book())
    index_book(folder / "ferry.pdf", folder / "ferry")
    return folder / "ferry"


@pytest.fixture
def opened(printed):
    with Project.open(printed) as project:
        yield project


def yellow(png):
    image = Image.open(io.BytesIO(png)).convert("RGB")
    return sum(n for n, colour in image.getcolors(1 << 20) if colour == (255, 236, 102))


def ink(png):
    return sum(Image.open(io.BytesIO(png)).convert("L").histogram()[:128])


def test_a_search_says_page_and_lines(opened, printed, done):
    found = opened.search("evening lamp", 1, mode="lexical")
    ((first, second, _),) = found.places
    assert (first.page, first.first_line, first.last_line) == (1, 3, 6)
    assert (second.page, second.first_line, second.last_line) == (2, 2, 3)
    asked = ("search", printed, "evening lamp", "--mode", "lexical", "-k", "1")
    said = done(*asked).replace("\n", " ")
    assert "1. chapter 1, Page 1, Lines 3-6; Page 2, Lines 2-3; Page 3, Line 2, " in said
    assert search_shown(found, None, unconfirmed=False).passages[0].places[0] == first
    assert json.loads(done(*asked, "--json"))["places"][0][0]["page"] == 1


def test_an_answer_cites_the_lines_of_its_quotes(opened, printed, done):
    said = "She read the letter of Bo Lind from the first line to the last line [1]."
    opened.__dict__["generator"] = generator = answering(said)
    found = opened.ask(QUESTION, as_of=1, model=True)
    assert "[1] [Source: Page 1, Lines 3-6; Page 2, Lines 2-3; Page 3, Line 2] " in generator.prompts[0].user
    assert "(chapter 1)" not in generator.prompts[0].user
    (citation,) = found.citations
    assert citation.label == opened.place(citation.span) == "Page 1, Line 6; Page 2, Lines 2-3"
    shown = answer_shown(found, 1, unconfirmed=False, places=opened.places)
    assert [one.page for one in shown.citations[0].places] == [1, 2]
    assert "(ch. 1, Page " in " ".join(done("ask", printed, QUESTION, "--no-model").split())


def test_pages_stand_in_the_prompts_of_compare_too(opened):
    opened.__dict__["generator"] = generator = ScriptedGenerator(["Anna waited."] * 9)
    opened.compare("Anna reads the letter again.", chapter=2)
    assert any("[Passage ch. 1] [Source: Page 1, Lines" in one.user for one in generator.prompts)


def test_the_page_of_a_passage_and_of_a_quote(opened, printed, done, tmp_path):
    (passage,) = opened.search("drowned", 1, mode="lexical").passages
    picture = show_page(opened, passage.chunk.id)
    assert (picture.page, picture.quote) == (3, passage.chunk.text)
    quoted = show_page(opened, "read  the letter\nof Bo Lind")
    assert quoted.page == 2 and 0 < yellow(quoted.png) < yellow(picture.png)
    assert show_page(opened, "kept the fire alone and", page=2).page == 2
    out = tmp_path / "deep" / "page.png"
    said = done("search", printed, "kept the fire alone and", "--page", out)
    assert said.startswith("Page 1, Line 6; Page 2, Line 2\npage 1: ")
    assert yellow(out.read_bytes())
    facts = json.loads(done("search", printed, "drowned", "--page", out, "--json"))
    assert facts["page"] == 3 and facts["places"][0]["first_line"] == 4


def test_a_page_shows_nothing_told_after_the_horizon(opened):
    whole = show_page(opened, "and she was still awake.")
    early = show_page(opened, "and she was still awake.", as_of=1)
    assert ink(early.png) < 0.5 * ink(whole.png)
    assert yellow(early.png) == pytest.approx(yellow(whole.png), rel=0.01)
    assert show_page(opened, "evening lamp", as_of=1).png == show_page(opened, "evening lamp").png
    (later,) = opened.search("drowned", 1, mode="lexical").passages
    for words in ("drowned", later.chunk.id):
        with pytest.raises(UsageError, match="up to the horizon"):
            show_page(opened, words, as_of=1)


def test_what_has_no_page_is_said(opened, demo_project, refusal, tmp_path):
    for words in ("", " ", "nobody wrote this", "x" * 3000, "0123456789abcdef"):
        with pytest.raises(UsageError):
            show_page(opened, words)
    with pytest.raises(UsageError, match=r"not on page 3: they are on page 1, 2"):
        show_page(opened, "kept the fire alone and", page=3)
    said = refusal("search", demo_project, "Barnaby", "--page", tmp_path / "x.png")
    assert "not indexed from a PDF" in said
    assert not (tmp_path / "x.png").exists()


def test_pages_outlive_corrections_and_damage_is_seen(printed, tmp_path):
    folder = shutil.copytree(printed, tmp_path / "ferry")
    Reindexing(folder).embed_again()
    with Project.open(folder) as project:
        assert show_page(project, "drowned").page == 3
    newest = max((folder / "index").glob("0*"))
    for name in ("pages.npy", "book.pdf"):
        kept = (newest / name).read_bytes()
        (newest / name).write_bytes(kept[:-1] + bytes([kept[-1] ^ 1]))
        damaged = pytest.raises(ProjectError, match=f"{name} of index generation .* is damaged")
        with damaged, Project.open(folder) as project:
            show_page(project, "drowned")
        (newest / name).write_bytes(kept)


def test_a_story_cannot_pose_as_a_source():
    assert neutralise("[Source: Page 3, Lines 1-2] He did it.") == "(Source: Page 3, Lines 1-2) He did it."
