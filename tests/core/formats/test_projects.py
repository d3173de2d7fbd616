import re
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.book_files import zipped
from tests.stories.hostile_files import novelwriter
from tests.tables import values

from fabula.core.documents import read_document, read_notes
from fabula.core.formats.final_draft import final_draft_document
from fabula.core.formats.folders.packing import folder_document
from fabula.errors import DocumentError

PEOPLE = '<item handle="p" parent="None" type="ROOT" class="CHARACTER"><name>People</name></item>'
BOOKS = Path(__file__).parents[2] / "stories" / "books"


def read(*documents, names=(), **layout):
    """What is read of a novel of these documents, and of ``names`` of files that are not there."""
    return folder_document(zipped(novelwriter(*documents, names=names, **layout)), "a.zip")


@pytest.mark.parametrize(("documents", "chapters"), values(__file__, "novels_of_novelwriter.tsv"))
def test_a_novel_of_novelwriter(documents, chapters):
    found = read(*documents)
    assert [(one.title, one.body.of(found.text)) for one in found.chapters] == chapters


@pytest.mark.parametrize(("line", "plain"), values(__file__, "lines_of_novelwriter.tsv"))
def test_marks_of_novelwriter_are_taken_off(line, plain):
    found = read(f"## One\n\nAnna left.\n\n{line}")
    assert found.chapters[0].body.of(found.text) == f"Anna left.\n\n{plain}".strip()


def test_the_texts_of_version_26_have_a_header():
    found = read('+++\nname = "x"\n+++\n## One\n\nBo stayed.\n+++\nAnna left.', ending=".md")
    assert found.text == "# A\n\n## One\n\nBo stayed.\n+++\nAnna left.\n"


def test_a_tree_that_is_damaged_gives_what_is_whole():
    # handles that are empty, lead out, stand twice, are missing, or are below themselves
    names = ("", "../../../etc/passwd", "/etc/passwd", "0000000000000", "a" * 13, "r")
    found = read("## One\n\nAnna left.", "## Two\n\nBo stayed.", names=names)
    assert [one.title for one in found.chapters] == ["One", "Two"]
    root = '<item handle="" parent="None" type="ROOT" class="NOVEL"/></content>'
    members = novelwriter("## One\n\nAnna left.", names=[""])
    members["A/nwProject.nwx"] = members["A/nwProject.nwx"].replace("</content>", root)
    assert len(folder_document(zipped(members), "a.zip").chapters) == 1
    assert found.warning == "a.zip lacks the files of 3 documents: they were left out"
    members = novelwriter("## One\n\nAnna left.")
    members["A/nwProject.nwx"] = members["A/nwProject.nwx"].replace('parent="None"', 'parent="0000000000000"')
    assert folder_document(zipped(members), "a.zip").chapters == read("## One\n\nAnna left.").chapters


@given(st.lists(st.text("AB .:@#!%>*=_~[]/ibs\n", max_size=60), max_size=4))
def test_any_novel_is_read_or_refused(documents):
    try:
        found = read(*documents)
    except DocumentError as error:
        assert "no text in the active documents" in str(error)
    else:
        assert all(one.body.of(found.text).strip() for one in found.chapters)


@pytest.mark.parametrize("name", ["The Lantern Tide", "Salt Road"])
def test_a_project_may_be_given_by_a_file_of_it_or_packed(name, tmp_path):
    document = read_document(BOOKS / name)
    packed = shutil.make_archive(str(tmp_path / name), "zip", BOOKS, name)
    assert read_document(Path(packed)) == document
    if name == "Salt Road":
        saved = tmp_path / "Salt Road.msk"
        Path(shutil.make_archive(str(saved), "zip", BOOKS / name)).rename(saved)
        assert read_document(saved) == read_document(BOOKS / "Salt Road.msk") == document
    else:
        assert read_document(BOOKS / name / "nwProject.nwx") == document


def test_the_names_of_a_note_are_what_its_tag_shows_or_its_heading_and_the_tag():
    found = [" | ".join(one.names) for one in read_notes(BOOKS / "The Lantern Tide")]
    people = ["Ines Marlow | Ines", "Tobias Reed | Tobias", "The owner"]
    assert found == [*people, "Gull Point | Point", "The Chandlery", "Brass Key | Key"]


def test_a_tag_counts_where_its_scene_stands_and_not_where_a_heading_says_the_same():
    members = novelwriter("## One\n\nAnna left.", "## Silence.\n@pov: Spy\n\nSilence.", "@tag: Spy\n\nA spy.")
    listing = members["A/nwProject.nwx"].replace("</content>", f"{PEOPLE}</content>")
    members["A/nwProject.nwx"] = re.sub(
        r'(<item handle="0+2" parent=)"r"(.*?)DOCUMENT', r'\1"p"\2NOTE', listing
    )
    assert [one.since for one in folder_document(zipped(members), "a.zip").notes] == [2]


def test_damaged_notes_leave_the_book_as_it_is():
    members = {"MANUSKRIPT": "1", "outline/0-A.md": "Anna left: home.\n\nBo stayed.", "world.opml": "<opml>"}
    found = folder_document(zipped(members), "a.zip")
    assert "Anna left: home." in found.text
    assert "world.opml is damaged" in found.warning


def test_what_is_a_mark_in_fountain_is_text_in_a_script_of_final_draft():
    def paragraph(kind, said):
        return f'<Paragraph Type="{kind}"><Text>{said}</Text></Paragraph>'

    bar, shed = ("Scene Heading", "INT. THE *STAR* BAR"), ("Scene Heading", "INT. SHED")
    told = ("Action", "He typed [[help]] and /* left."), ("Action", "Bela died ]] here. */")
    body = "".join(paragraph(*one) for one in (bar, told[0], shed, told[1]))
    page = f"<TitlePage><Content>{paragraph('', 'M*A*S*H snake_case')}</Content></TitlePage>"
    script = f"<FinalDraft><Content>{body}</Content>{page}</FinalDraft>"
    found = final_draft_document(script.encode(), "a.fdx")
    assert found.title == "M*A*S*H snake_case"
    assert [one.title for one in found.chapters] == ["INT. THE *STAR* BAR", "INT. SHED"]
    assert "typed [[help]] and /* left." in found.text


@pytest.mark.parametrize("script", ["<FinalDraft/>", "<fountain><Content/></fountain>", "no XML", ""])
def test_what_is_no_script_of_final_draft_is_refused(script):
    with pytest.raises(DocumentError, match=r"^a\.fdx is (?:not a script of Final Draft|damaged)"):
        final_draft_document(script.encode(), "a.fdx")
