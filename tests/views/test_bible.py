import io
import json
import re
import zipfile
from itertools import combinations

import docx
import pytest
import yaml
from lxml import html
from markdown_it import MarkdownIt
from tests.stories.builder import StoryBuilder
from tests.stories.hostile_story import HIDDEN, TITLE
from tests.stories.html_pages import Page
from tests.tables import values

from fabula.errors import UsageError
from fabula.story.bible import bible
from fabula.views.bible import ChapterListed, bible_shown, bible_text
from fabula.views.bible_files.formats import FORMATS, Wanted, format_of

NAMES = [*(name for (name,) in values(__file__, "hostile_names.tsv")), "İstanbul" * 20, *HIDDEN]
PLAIN = {"h1", "h2", "h3", "p", "em", "ul", "li", "blockquote"}


@pytest.fixture(scope="module")
def at():
    story = StoryBuilder().bond("Ann", "TRUSTS", "Annabel").bond("Ann", "FEARS", "ANN")
    for name in NAMES:
        story.fact(name, "trade", name).bond("Ann", "FEARS", name).know(name, "knows", "it all")
    story.thread("plan", "closed", "the heist", "Ann")
    story.thread("promise", "opened", "the errand", NAMES[0]).fact("Ann", "trade", "{{{x}}} <BOT>")
    story.chapter(2).bond("Ann", "DISTRUSTS", "Annabel")

    def shown(as_of=None, about=None):
        view = story.view(as_of)
        chapters = [ChapterListed(n, name, view.presence(n)) for n, name in ((1, "One"), (2, TITLE))]
        return bible_shown(bible(view), title=TITLE, about=about, chapters=tuple(chapters[:as_of]))

    return shown


def only(at, format, about=None):
    [(_, made)] = Wanted(format, about=about).files(at)
    return made


def read(markdown):
    """The words of a page, which has no tags but plain ones without attributes."""
    page = Page(MarkdownIt("commonmark").enable("strikethrough").render(markdown))
    assert set(page.tags) <= PLAIN and page.attributes == []
    return page.words


def flat(text):
    return re.sub(r"\s+", " ", re.sub("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u202e]", "", text)).strip()


def test_markdown_and_word_are_read_as_the_very_words(at):
    made = docx.Document(io.BytesIO(only(at, "docx")))
    for words in (read(only(at, "markdown").decode()), " ".join(one.text for one in made.paragraphs)):
        for one in at().entries:
            assert flat(one.name) in flat(words)
            assert all(flat(line.text) in flat(words) for line in one.lines)


def test_a_vault_links_its_notes_and_holds_its_files(at):
    files = dict(Wanted("vault").files(at))
    names = [path.rpartition("/")[2].removesuffix(".md") for path in files]
    assert len({name.casefold() for name in names}) == len(at().entries) + len(at().chapters) + 2
    for path, data in files.items():
        folder, _, name = path.rpartition("/")
        assert folder in ("", "People", "Places", "Open threads", "Settled threads", "Chapters")
        assert not re.search(r"[\\:*?\"<>|#^\[\]\x00-\x1f\u202e]", name)
        assert name.strip(". ") and len(name.encode()) < 100 and name.casefold() != "con.md"
        text = data.decode()
        if path.endswith(".md"):
            assert set(re.findall(r"(?<!\\)\[\[([^|\]]+)", text)) <= set(names), path
        if "/" in path:
            head = yaml.safe_load(text.split("---\n")[1])
            assert set(head) <= {"aliases", "kind", "state", "first_chapter", "chapter"}, path
            read(text.split("---\n", 2)[2])
    assert "- Ann distrusts [[Annabel]] *(ch. 2)*" in files["People/Ann.md"].decode()
    assert "- [[Ann]] trusts Annabel (until chapter 2)" in files["People/Annabel.md"].decode()
    assert "[[Chapter 1|One]]\n\n- People: [[Ann]]" in (second := files["Chapters/Chapter 2.md"].decode())
    assert "- [[Ann]] distrusts [[Annabel]]" in second and " trusts" not in second


def test_the_map_of_a_vault_is_a_json_canvas_whose_cards_are_notes_and_apart(at):
    """The fields are those of jsoncanvas.org, 1.0."""
    files = dict(Wanted("vault").files(at))
    canvas = json.loads(files["Story map.canvas"])
    assert set(canvas) == {"nodes", "edges"}
    boxes, ids = [], [one["id"] for one in canvas["nodes"]]
    for node in canvas["nodes"]:
        assert node["type"] == "file" and node["file"] in files and node.get("color", "1") in "123456"
        boxes.append([node[key] for key in ("x", "y", "width", "height")])
        assert all(type(number) is int for number in boxes[-1])
    for (x, y, wide, high), (x2, y2, _, _) in combinations(boxes, 2):
        assert abs(x - x2) >= wide or abs(y - y2) >= high
    assert len(set(ids)) == len(ids) == len(NAMES) + 2
    for edge in canvas["edges"]:
        assert edge["fromNode"] in ids and edge["toNode"] in ids and edge["label"]
        assert {edge["fromSide"], edge["toSide"]} in ({"left", "right"}, {"top", "bottom"})
    [tie] = [one for one in canvas["edges"] if {one["fromNode"], one["toNode"]} == {"ann", "annabel"}]
    assert tie["label"] == "distrusts" and tie["color"] == "1"


BOOK = {"keys": list, "content": str, "extensions": dict, "enabled": bool, "insertion_order": int}
CARD = dict.fromkeys("name description personality scenario first_mes mes_example creator_notes".split(), str)
CARD |= dict.fromkeys("system_prompt post_history_instructions creator character_version".split(), str)
CARD |= {"alternate_greetings": list, "tags": list, "extensions": dict, "character_book": dict}


def test_lorebooks_give_each_by_its_names_and_nothing_in_them_acts(at):
    """The fields of a card are those of character-card-spec-v2."""
    world = json.loads(only(at, "world-info"))["entries"]
    assert [one["uid"] for one in world.values()] == list(range(len(world)))
    assert world["0"]["key"] == ["Ann", "ANN"]
    assert world["0"]["content"].startswith("Ann (also ANN; first in ch. 1)\n- ")
    assert " trusts" not in world["0"]["content"]  # it is over
    assert [one["comment"] for one in world.values() if one["disable"]] == ["The heist"]
    card = json.loads(only(at, "character-card", "Annabel"))
    assert (card["spec"], card["spec_version"]) == ("chara_card_v2", "2.0")
    data, book = card["data"], card["data"]["character_book"]["entries"]
    assert data["name"] == "Annabel" and "- Ann distrusts Annabel." in data["description"]
    assert {key: type(value) for key, value in data.items()} == CARD
    assert [one["name"] for one in book] == ["Ann"]
    whole = json.loads(only(at, "character-card", "ann"))["data"]["character_book"]["entries"]
    assert len(whole) > len(NAMES) and not any("it all" in one["content"] for one in whole)
    assert all(type(one[key]) is kind for one in whole for key, kind in BOOK.items())
    entries = [*world.values(), *({**one, "key": one["keys"]} for one in whole)]
    for one in entries:
        assert one["key"] and not one["constant"]
        assert not any(key.startswith("/") or "{{" in key for key in one["key"])
        assert not re.search(r"\{\{|\}\}|<\||<BOT>|STORY>>>|</s>|^@@", one["content"] + one["comment"])


def test_a_wiki_shows_a_page_a_chapter_and_nothing_of_a_later_one(at):
    files = dict(Wanted("wiki").files(at))
    pages = ["index.html", "chapter-001.html", "chapter-002.html"]
    assert sorted(files) == sorted([*pages, "wiki.css", "wiki.js"])
    early = dict(Wanted("wiki", as_of=1).files(at))
    assert files[pages[1]] == early[pages[1]] and pages[2] not in early
    assert b"distrusts" not in files[pages[1]] and b"distrusts" in files[pages[2]]
    for name in pages:
        page = html.fromstring(files[name])
        ids = page.xpath("//@id")
        assert len(ids) == len(set(ids)) and page.get("lang") == "en"
        for address in page.xpath("//@href | //@src"):
            assert address in files or address == "index.html" or address.removeprefix("#") in ids
        assert len(page.xpath("//script")) == 1 and not page.xpath("//img | //iframe | //@style")
    assert "trusts" in page.xpath("//h4/following-sibling::ul")[0].text_content()


@pytest.mark.parametrize("format", FORMATS)
def test_the_same_bible_gives_the_same_bytes(at, format):
    wanted = Wanted(format, about="Annabel" if format == "character-card" else None)
    one = b"".join(wanted.packed(at))
    assert one == b"".join(wanted.packed(at))
    if one[:2] == b"PK":
        dates = {each.date_time for each in zipfile.ZipFile(io.BytesIO(one)).infolist()}
        assert dates == {(1980, 1, 1, 0, 0, 0)}


@pytest.mark.parametrize("out", ["a.md", "A.DOCX", "a.json", "vault"])
def test_the_ending_says_what_is_written(at, tmp_path, out):
    wanted = Wanted(format_of(tmp_path / out))
    written = wanted.write(at, tmp_path / out)
    assert wanted.format == {"a.md": "markdown", "A.DOCX": "docx", "a.json": "world-info"}.get(out, "vault")
    assert sorted(written) == sorted(one.as_posix() for one in tmp_path.rglob("*") if one.is_file())


@pytest.mark.parametrize(("format", "about", "out", "way"), values(__file__, "bibles_refused.tsv"))
def test_what_cannot_be_written_is_refused_with_the_way_out(at, tmp_path, format, about, out, way):
    (tmp_path / "a.md").touch()
    with pytest.raises(UsageError, match=way):
        Wanted(format, about=about).write(at, tmp_path / out)
    with pytest.raises(UsageError, match=r"\.md, \.docx or \.json"):
        format_of(tmp_path / "a.txt")


def test_of_one_all_that_is_told_and_no_more():
    held = bible(StoryBuilder().bond("Ann Vale", "TRUSTS", "Tom").bond("Bob", "FEARS", "Tom").view())
    for said in ("ann", "vale", "Ann Vale", " ANN VALE "):
        assert [one.name for one in bible_shown(held, title="x", about=said).entries] == ["Ann Vale"]
    text = bible_text(bible_shown(held, title="x", about="ann"))
    assert text.startswith("People\n  Ann Vale (first in ch. 1)\n    Ann Vale trusts Tom [ch. 1]\n      “")
    with pytest.raises(UsageError, match="nothing about 'Zorblax'"):
        bible_shown(held, title="x", about="Zorblax")
