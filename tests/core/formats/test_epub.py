import io
import stat
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.book_files import CONTAINER, NAV_ITEM, epub, nav, package, page, paragraphs, point, zipped
from tests.tables import rows

from fabula.core.chapters.reader import find_chapters
from fabula.core.documents import read_document
from fabula.core.formats import archive
from fabula.core.formats.epub import epub_document
from fabula.core.text.encodings import normalized
from fabula.errors import DocumentError

LONG = "The boat went out and the boat came in, and nobody said a word of it. " * 12
PAGES = {
    "one.xhtml": page("<h1>Chapter 1</h1>" + paragraphs("Anna went to sea.", "It rained.")),
    "two.xhtml": page("<h1>Chapter 2</h1>" + paragraphs("She came home.")),
    "three.xhtml": page("<h1>Chapter 3</h1>" + paragraphs("Bo met her on the quay.")),
}
TOC3 = "".join(f'<li><a href="{name}">Chapter {n}</a></li>' for n, name in enumerate(PAGES, 1))
TOC2 = "".join(point(f"Chapter {n}", name) for n, name in enumerate(PAGES, 1))


def read(tmp_path, data, name="ferry.epub", **options):
    path = tmp_path / name
    path.write_bytes(data)
    return read_document(path, **options)


def told(document):
    return [(one.title, one.body.of(document.text)) for one in document.chapters]


@pytest.mark.parametrize(("version", "toc"), [(3, TOC3), (2, TOC2), (3, "")])
def test_three_chapters_of_either_version_and_without_a_table(tmp_path, version, toc):
    document = read(tmp_path, epub(PAGES, toc=toc, version=version))
    assert document.title == "The Ferry"
    assert document.id == "ferry"
    assert told(document) == [
        ("Chapter 1", "Anna went to sea.\n\nIt rained."),
        ("Chapter 2", "She came home."),
        ("Chapter 3", "Bo met her on the quay."),
    ]


def test_the_whole_text_by_hand():
    body = (
        "<h2>I<br/>The Quay</h2><p>A&nbsp;<i>b</i>oat\n  came.</p><hr/>"
        '<p>“<span epub:type="pagebreak">12</span>Yes,”<a href="#n1">[1]</a> said Bo &amp; went.<br/>'
        "Home.</p>"
        '<p># Not a heading</p><p hidden="">unseen</p><p style="display: none">unseen</p>'
        "<script>alert(1)</script><p>* * *</p><table><tr><td>a</td><td>b</td></tr></table>"
        "<svg><text>unseen</text></svg><pre>two\nlines</pre>"
    )
    found = epub_document(epub({"a.html": page(body)}, toc='<li><a href="a.html">I</a></li>'), "a.epub")
    assert found.text == (
        "# The Ferry\n\n## I: The Quay\n\nA boat came.\n\n***\n\n“Yes,” said Bo & went.\nHome.\n\n"
        "\\# Not a heading\n\n***\n\na b\n\ntwo\nlines\n"
    )


def test_parts_hold_chapters(tmp_path):
    pages = {
        "p1.xhtml": page('<img src="part1.png" alt="Part One"/>'),
        "c1.xhtml": page(paragraphs("chapter 1", LONG)),
        "c2.xhtml": page("<h2>Chapter 2</h2><h3>The Storm</h3>" + paragraphs(LONG)),
        "p2.xhtml": page("<h1>Part Two</h1>" + paragraphs("In which they row.")),
        "c3.xhtml": page(f'<h2 id="three">Chapter 3</h2><p>{LONG}</p><h2 id="four">Four</h2><p>{LONG}</p>'),
        "end.xhtml": page("<h1>Epilogue</h1>" + paragraphs(LONG)),
        "adv.xhtml": page("<h1>Also by Anna</h1>" + paragraphs("Buy them.")),
    }
    toc = (
        '<li><a href="p1.xhtml">Part One</a><ol><li><a href="c1.xhtml">Chapter 1</a></li>'
        '<li><a href="c2.xhtml">Chapter 2</a></li></ol></li>'
        '<li><a href="p2.xhtml">Part Two</a><ol><li><a href="c3.xhtml#three">Chapter 3</a></li>'
        '<li><a href="c3.xhtml#four">Chapter 4</a></li></ol></li><li><a href="end.xhtml">Epilogue</a></li>'
        '<li><a href="adv.xhtml">Also by Anna</a></li>'
    )
    document = read(tmp_path, epub(pages, toc=toc))
    assert [one.title for one in document.chapters] == [
        "Part One, Chapter 1",
        "Part One, Chapter 2: The Storm",
        "Part Two, Chapter 3",
        "Part Two, Chapter 4: Four",
        "Epilogue",
    ]
    assert document.chapters[0].body.of(document.text) == LONG.strip()
    assert "Buy them" not in document.text


def test_sections_inside_a_chapter_part_nothing(tmp_path):
    body = f'<h1>One</h1><p>{LONG}</p><h2 id="s">A rest</h2><p>{LONG}</p>'
    toc = '<li><a href="a.xhtml">One</a><ol><li><a href="a.xhtml#s">A rest</a></li></ol></li>'
    document = read(tmp_path, epub({"a.xhtml": page(body)}, toc=toc))
    [(title, said)] = told(document)
    assert title == "One" and "A rest" in said


def test_a_page_without_an_entry_goes_on_with_the_chapter(tmp_path):
    pages = {**PAGES, "two-b.xhtml": page(paragraphs("And slept."))}
    names = ["one.xhtml", "two.xhtml", "two-b.xhtml", "three.xhtml"]
    document = read(tmp_path, epub({name: pages[name] for name in names}, toc=TOC3))
    assert told(document)[1] == ("Chapter 2", "She came home.\n\nAnd slept.")


def test_the_spine_decides_and_without_table_and_heading_a_chapter_is_a_page(tmp_path):
    document = read(tmp_path, epub({f"{n}.html": page(paragraphs(LONG)) for n in range(3)}))
    assert [one.title for one in document.chapters] == ["1", "2", "3"]
    spine = (
        '<itemref idref="i2"/><itemref idref="none"/><itemref idref="i0"/><itemref idref="i1" linear="no"/>'
    )
    document = read(tmp_path, epub(PAGES, toc=TOC3, spine=spine))
    assert [one.title for one in document.chapters] == ["Chapter 3", "Chapter 1"]


TITLES = st.text("abcdefg xyzäø", min_size=1).filter(str.strip)
SAID = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters="#`~*-_=\u2022"), min_size=1)


@given(st.lists(st.tuples(TITLES, SAID), min_size=1, max_size=6), st.sampled_from([2, 3]))
def test_as_many_chapters_as_the_table_has(book, version):
    pages = {
        f"c{n}.xhtml": page(f"<h1>{n}. Q{title}</h1>" + paragraphs(f"So. {body}"))
        for n, (title, body) in enumerate(book, 1)
    }
    entries = [(f"{n}. Q{title.strip()}", f"c{n}.xhtml") for n, (title, _) in enumerate(book, 1)]
    entry = point if version == 2 else lambda said, href: f'<li><a href="{href}">{said}</a></li>'
    data = epub(pages, toc="".join(entry(*one) for one in entries), version=version)
    found = epub_document(data, "a.epub")
    assert epub_document(data, "a.epub") == found
    chapters = find_chapters(found.text, title="x")
    assert len(chapters) == len(book)
    for chapter, (_, body) in zip(chapters, book, strict=True):
        assert chapter.body.of(found.text) == normalized(" ".join(f"So. {body}".split()))


def refusal(data, **options):
    with pytest.raises(DocumentError) as caught:
        epub_document(data, "a.epub", **options)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith("a.epub")
    assert ":" in message  # what to do
    return message


WHOLE = epub(PAGES, toc=TOC3)
TORN = bytearray(WHOLE)
TORN[WHOLE.index(b"OEBPS/one.xhtml") + 20] ^= 0xFF
BOX = {"META-INF/container.xml": CONTAINER}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "damaged"),
        (WHOLE[: len(WHOLE) // 2], "damaged"),
        (bytes(TORN), "damaged"),
        (zipped({"META-INF/container.xml": "<container"}), "damaged"),
        (zipped({"a.txt": "x"}), "no EPUB"),
        (zipped(BOX), "names no package"),
        (zipped(BOX | {"OEBPS/content.opf": package(["gone.xhtml"])}), "gone.xhtml"),
        (epub({"a.xhtml": page('<img src="a.png"/>')}), "no text"),
    ],
)
def test_damage_is_said(data, said):
    assert said in refusal(data)


@pytest.mark.parametrize(
    ("method", "uri", "is_read"),
    [
        ("2001/04/xmlenc#aes128-cbc", "one.xhtml", False),
        ("http://www.idpf.org/2008/embedding", "one.ttf", True),
    ],
)
def test_protected_books_are_refused_and_scrambled_fonts_are_not(method, uri, is_read):
    said = (
        '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" '
        'xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData>'
        f'<enc:EncryptionMethod Algorithm="{method}"/><enc:CipherData>'
        f'<enc:CipherReference URI="OEBPS/{uri}"/></enc:CipherData></enc:EncryptedData></encryption>'
    )
    inside = {"content.opf": package(["one.xhtml"]), "one.xhtml": PAGES["one.xhtml"]}
    members = (
        BOX | {"META-INF/encryption.xml": said} | {f"OEBPS/{name}": text for name, text in inside.items()}
    )
    if is_read:
        assert "Anna" in epub_document(zipped(members), "a.epub").text
    else:
        assert "DRM" in refusal(zipped(members))


LAUGHS = (
    '<!DOCTYPE html [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    '<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">]>'
)


def test_entities_are_never_expanded(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    for head in (LAUGHS, f'<!DOCTYPE html [<!ENTITY d SYSTEM "{secret.as_uri()}">]>'):
        for attribute in ("", ' title="&d;"'):
            hostile = f"<?xml version='1.0'?>{head}<html><body><p{attribute}>Anna &d; Bo</p></body></html>"
            text = epub_document(epub({"a.xhtml": hostile}), "a.epub").text
            assert "Anna" in text and "Bo" in text
            assert "ha" not in text and "secret" not in text


@pytest.mark.parametrize(
    ("limit", "most", "said"),
    [
        ("MAX_MEMBER", 1000, "more text than any book"),
        ("MAX_DECLARED", 1000, "unpacked"),
        ("MAX_MEMBERS", 5, "members"),
    ],
)
def test_bombs_are_refused(monkeypatch, limit, most, said):
    assert "packed more than" in refusal(epub({"a.xhtml": page(f"<p>{'a' * 30_000_000}</p>")}))
    monkeypatch.setattr(archive, limit, most)
    assert said in refusal(epub(PAGES | {"z.xhtml": page(LONG * 9)}))


def test_a_size_that_is_a_lie_is_found_out():
    said = page(f"<p>{'ab ' * 3_000_000}</p>")
    real = len(said.encode()).to_bytes(4, "little")
    whole = epub({"a.xhtml": said})
    assert real in whole
    assert "damaged" in refusal(whole.replace(real, (100).to_bytes(4, "little")))


@pytest.mark.parametrize("name", ["../../evil.xhtml", "/etc/passwd", "..\\evil", "C:/evil", "a/../../b"])
def test_no_name_leads_out(name):
    assert "leads out" in refusal(zipped({"META-INF/container.xml": CONTAINER, name: "x"}))


@pytest.mark.parametrize(
    "href", ["../../x.xhtml", "file:///etc/passwd", "http://localhost/a", "//host/a", "%2e%2e/%2e%2e/x"]
)
def test_no_link_leads_out(href):
    members = BOX | {"OEBPS/content.opf": package([href, "a.xhtml"]), "OEBPS/a.xhtml": PAGES["one.xhtml"]}
    document = epub_document(zipped(members), "a.epub")
    bodies = [one.body.of(document.text) for one in find_chapters(document.text, title="x")]
    assert bodies == ["Anna went to sea.\n\nIt rained."]


def archived(*members, **how):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", **how) as made:
        for name, content in members:
            made.writestr(name, content)
    return target.getvalue()


@pytest.mark.filterwarnings("ignore:Duplicate")
def test_links_doubles_locks_and_odd_packing_are_refused():
    link = zipfile.ZipInfo("META-INF/container.xml")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    assert "leads out" in refusal(archived((link, "/etc/passwd")))
    assert "twice" in refusal(archived(("a", "1"), ("a", "2")))
    assert "plain zip" in refusal(archived(*BOX.items(), compression=zipfile.ZIP_LZMA))
    locked = bytearray(WHOLE)
    at = locked.index(b"PK\x01\x02", locked.index(b"PK\x01\x02") + 4)
    locked[at + 8] |= 1
    assert "encrypted" in refusal(bytes(locked))


def test_a_directory_that_is_too_large_and_great_depth():
    whole = bytearray(epub(PAGES))
    at = whole.rindex(b"PK\x05\x06")
    whole[at + 12 : at + 16] = (50_000_000).to_bytes(4, "little")
    assert "directory" in refusal(bytes(whole))
    deep = "<div>" * 50_000 + "Anna" + "</div>" * 50_000
    found = epub_document(epub({"a.xhtml": page(deep), "b.xhtml": page("<p>Bo rowed.</p>")}), "a.epub")
    assert "Bo rowed." in found.text


@pytest.mark.parametrize(("member", "href"), rows(__file__, "epub_names.tsv"))
def test_a_member_is_found_however_its_name_is_spelled(member, href):
    inside = {
        "content.opf": package([href, "two.xhtml"], extra=NAV_ITEM),
        "nav.xhtml": nav(f'<li><a href="{href}">I</a></li><li><a href="two.xhtml">II</a></li>'),
        member: page("<p>Anna left.</p>"),
        "two.xhtml": page("<p>Bo stayed.</p>"),
    }
    found = epub_document(zipped(BOX | {f"OEBPS/{name}": text for name, text in inside.items()}), "a.epub")
    assert found.text == "# The Ferry\n\n## I\n\nAnna left.\n\n## II\n\nBo stayed.\n"


@pytest.mark.parametrize("declared", ["utf-8", "iso-8859-1", "windows-1252", "shift_jis", "utf-16", "x-none"])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_a_page_that_is_wrong_about_its_encoding(declared, encoding, caplog):
    data = page("<p>Zoë said “go” — now.</p>").replace("utf-8", declared).encode(encoding)
    assert "Zoë said “go” — now." in epub_document(epub({"a.xhtml": data}), "a.epub").text
    fits = encoding == "utf-8" or declared in ("iso-8859-1", "windows-1252")
    assert [one.args[2] for one in caplog.records] == ([] if fits else ["cp1252"])


MARK = '<a id="r1" href="#n1"><sup>1</sup></a>'


@pytest.mark.parametrize(("name", "note"), rows(__file__, "epub_notes.tsv"))
def test_notes_are_no_story(tmp_path, name, note):
    pages = {
        "a.xhtml": page(f"<h1>Chapter 1</h1><p>Anna left{MARK} home.</p>{note}"),
        "b.xhtml": page("<h1>Chapter 2</h1><p>Bo stayed.</p>"),
    }
    document = read(tmp_path, epub(pages))
    assert told(document) == [("Chapter 1", "Anna left home."), ("Chapter 2", "Bo stayed.")]


@pytest.mark.parametrize("toc", ["", TOC3])
@pytest.mark.parametrize(("name", "matter"), rows(__file__, "epub_matter.tsv"))
def test_back_matter_is_no_story(tmp_path, name, matter, toc):
    document = read(tmp_path, epub({**PAGES, "x.xhtml": page(matter)}, toc=toc))
    assert [one.title for one in document.chapters] == ["Chapter 1", "Chapter 2", "Chapter 3"]
    assert not {"NOTE", "#"} & set(repr(told(document)).split())


@pytest.mark.parametrize(("heading", "title"), rows(__file__, "epub_headings.tsv"))
def test_a_heading_that_is_a_picture_has_its_words(tmp_path, heading, title):
    second = heading.replace("One", "Two")
    pages = {"a.xhtml": page(f"{heading}<p>Anna left.</p>"), "b.xhtml": page(f"{second}<p>Bo.</p>")}
    document = read(tmp_path, epub(pages))
    assert [one.title for one in document.chapters] == [title, title.replace("One", "Two")]


def test_a_book_kept_as_a_folder(tmp_path):
    whole = epub(PAGES, toc=TOC3)
    folder = tmp_path / "The Ferry.epub"
    with zipfile.ZipFile(io.BytesIO(whole)) as packed:
        packed.extractall(folder)
        inside = {f"The Ferry.epub/{name}": packed.read(name) for name in packed.namelist()}
    (folder / "OEBPS" / "cover.png").write_bytes(b"\x89PNG")
    document = read_document(folder)
    assert (document.id, document.title, len(document.chapters)) == ("the-ferry", "The Ferry", 3)
    for data in (whole, zipped(inside)):
        assert told(read(tmp_path, data, "upload.zip")) == told(document)


def test_an_encoding_that_is_declared_or_given():
    utf16 = page("<p>Ann\u00e9</p>").replace("utf-8", "utf-16").encode("utf-16")
    assert "Ann\u00e9" in epub_document(epub({"a.xhtml": utf16}), "a.epub").text
    wrong = page("<p>Anna était là.</p>").encode("cp1252")
    assert "était" in epub_document(epub({"a.xhtml": wrong}), "a.epub", encoding="cp1252").text


def test_numbers_that_link_elsewhere_are_no_notes(tmp_path):
    body = (
        '<p>Chapters <a id="t1" href="#c1">1</a> <a id="t2" href="#c2">2</a></p>'
        '<h2 id="c1"><a href="#t1">1</a></h2><p id="v"><a href="#t1">1</a> In the beginning.</p>'
        '<h2 id="c2"><a href="#t2">2</a></h2><p>Bo stayed.</p>'
    )
    assert told(read(tmp_path, epub({"a.xhtml": page(body)}))) == [
        ("1", "1 In the beginning."),
        ("2", "Bo stayed."),
    ]
