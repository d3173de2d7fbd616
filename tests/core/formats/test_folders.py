import io
import shutil
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.book_files import zipped
from tests.tables import values

from fabula.core.documents import document_id, read_document
from fabula.core.formats.blocks import Section, sectioned
from fabula.core.formats.folders.packing import folder_document, rtf_paragraphs
from fabula.core.text.markdown import story_markdown
from fabula.errors import DocumentError

BOOKS = Path(__file__).parents[2] / "stories" / "books"


def packed(folder):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(folder.rglob("*")):
            archive.write(path, f"{folder.name}/{path.relative_to(folder)}")
    return target.getvalue()


def test_a_scrivener_project_may_be_given_by_its_binder_or_packed(tmp_path):
    document = read_document(BOOKS / "The Ferry.scriv")
    assert read_document(BOOKS / "The Ferry.scriv" / "The Ferry.scrivx") == document
    upload = tmp_path / "The Ferry.scriv.zip"
    upload.write_bytes(packed(BOOKS / "The Ferry.scriv"))
    assert read_document(upload) == document
    assert document_id(upload.name) == document.id


def test_a_longform_project_may_be_given_by_its_own_folder():
    inner, outer = read_document(BOOKS / "vault" / "Novel"), read_document(BOOKS / "vault")
    assert (inner.text, inner.chapters) == (outer.text, outer.chapters)


def test_a_project_of_scrivener_2_and_a_binder_that_marks_nothing(tmp_path):
    binder = (
        '<ScrivenerProject Version="1.0"><Binder><BinderItem ID="0" Type="DraftFolder"><Title>Draft</Title>'
        '<Children><BinderItem ID="3" Type="Text"><Title>One</Title></BinderItem>'
        '<BinderItem ID="4" Type="Text"><Title/></BinderItem></Children></BinderItem></Binder>'
        "</ScrivenerProject>"
    )
    members = {
        "a.scriv/project.scrivx": binder,
        "a.scriv/Files/Docs/3.rtf": r"{\rtf1 Anna left.}",
        "a.scriv/Files/Docs/4.txt": "Bo stayed.",
    }
    found = folder_document(zipped(members), "a.zip")
    assert found.text == "# project\n\n## One\n\nAnna left.\n\n## Untitled\n\nBo stayed.\n"


def section(title, *inside, text=""):
    return Section(title, text, tuple(Section(one, "a") if isinstance(one, str) else one for one in inside))


@pytest.mark.parametrize(
    ("one", "titles"),
    [
        (section("The war", "Chapter 1", "Chapter 2"), ["The war, Chapter 1", "The war, Chapter 2"]),
        (section("The war", "Scene 1", "Scene 2"), ["The war"]),
        (section("Chapter 4", "Prologue", "Chapter 2"), ["Chapter 4"]),
        (section("Act One", section("Out", "x", "y"), text="c"), ["Act One, Act One", "Act One, Out"]),
        (section("Empty", text=" \n"), []),
    ],
)
def test_chapters_are_told_from_scenes_by_what_they_are_called(one, titles):
    assert [chapter.title for chapter in sectioned([one], title=None).chapters] == titles


@given(
    st.recursive(
        st.builds(Section, st.text(max_size=9), st.sampled_from(["", "Anna left.", "# x\n\nBo."])),
        lambda inner: st.builds(
            Section,
            st.sampled_from(["Part One", "Chapter 2", "Out", ""]),
            st.sampled_from(["", "It rained."]),
            st.lists(inner, max_size=3).map(tuple),
        ),
        max_leaves=12,
    )
)
def test_every_text_is_in_one_chapter_in_order(section):
    def texts(one):
        return [one.text.strip(), *(said for inner in one.inside for said in texts(inner))]

    found = sectioned([section], title="Book")
    said = [body for one in found.chapters for body in one.body.of(found.text).split("\n\n***\n\n")]
    assert said == [one for one in texts(section) if one]


def test_what_belongs_to_the_notes_is_taken_off():
    said = (
        "a %%b%% c <!-- d --> [[e]] [[f|g]] [[h/i#j]] [[#k]] ![[l.png]]![m](n) ==o== p ^q-1\n1 == 2 == 3 %% 4"
    )
    assert story_markdown(said) == "a  c  e g i k  o p\n1 == 2 == 3 %% 4"


def test_rich_text_by_hand():
    said = rb"{\rtf1\ansicpg1252{\fonttbl\f0 A;}{\*\g x}Caf\'e9 \u8212 ? \'93so\'94\par\par # x\line y\tab z}"
    assert rtf_paragraphs(said, "a") == "Caf\u00e9 \u2014 \u201cso\u201d\n\n\\# x\n\ny z\n"
    with pytest.raises(DocumentError, match="no rich text"):
        rtf_paragraphs(b"Anna left.", "a.rtf")


@pytest.mark.parametrize(
    ("members", "said"),
    [
        (
            {f"{title}.md": f"---\nlongform: {{format: single, title: {title}}}\n---\nx" for title in "AB"},
            r"2 Longform projects \(A, B\)",
        ),
        *values(__file__, "folders_that_hold_no_book_are_refused.tsv"),
    ],
)
def test_folders_that_hold_no_book_are_refused(members, said):
    with pytest.raises(DocumentError, match=said) as caught:
        folder_document(zipped(members), "a.zip")
    assert str(caught.value).startswith("a.zip") and "\n" not in str(caught.value)


def test_links_and_hidden_folders_lead_nowhere(tmp_path):
    outside = tmp_path / "outside.md"
    outside.write_text("Secret.")
    book = tmp_path / "book"
    shutil.copytree(BOOKS / "folder", book)
    (book / "link.md").symlink_to(outside)
    (book / "linked").symlink_to(tmp_path)
    assert read_document(book).text == read_document(BOOKS / "folder").text.replace("# Folder", "# Book")


def test_a_front_matter_that_is_a_bomb_is_none():
    pairs = zip("abcdefgh", "bcdefghi", strict=True)
    bomb = "a: &a [x,x]\n" + "".join(f"{b}: &{b} [{','.join(['*' + a] * 9)}]\n" for a, b in pairs)
    members = {"a.md": f"---\n{bomb}\n---\nAnna left.", "b.md": "---\n[\n---\nBo."}
    assert folder_document(zipped(members), "a").text == "## a\n\nAnna left.\n\n## b\n\nBo.\n"
