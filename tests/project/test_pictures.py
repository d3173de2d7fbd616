import io
import json

import pytest
from PIL import Image
from tests.tables import values

from fabula.engine import Project
from fabula.errors import DocumentError, HorizonError, UsageError
from fabula.project.keeping.backup import back_up, restore
from fabula.project.keeping.verifying import verify
from fabula.project.pictures import add_picture, picture_data, pictures_at, remove_picture
from fabula.project.recalling import recall
from fabula.project.storage.pictures_file import PICTURES, PICTURES_FILE, read_pictures


def image(colour="navy", kind="PNG", size=(40, 30), mode="RGB", **how):
    out = io.BytesIO()
    Image.new(mode, size, colour).save(out, kind, **how)
    return out.getvalue()


@pytest.fixture
def project(folder):
    with Project.open(folder) as project:
        yield project


def seen(project, as_of=None):
    return [one.words for one in pictures_at(project, as_of)]


def test_a_reader_sees_whom_she_knows_from_the_chapter_on(project):
    late = next(e for e in project.view().entities() if e.first_appearance > 3)
    add_picture(project, image(), "h.png", of=["Harriet"], caption="in a blue coat")
    add_picture(project, image("red"), "map.png", caption="The valley", from_chapter=4)
    add_picture(project, image("green"), "l.png", of=["Harriet", late.name])
    first = ["Harriet Pellow: in a blue coat"]
    assert seen(project, 1) == seen(project, 3) == first
    assert seen(project, 4)[:2] == [*first, "The valley"]
    assert seen(project) == [*first, "The valley", f"Harriet Pellow, {late.name}"]
    hidden = pictures_at(project)[1].picture.id
    with pytest.raises(UsageError, match="no picture"):
        picture_data(project, hidden, 3)
    with pytest.raises(HorizonError):
        pictures_at(project, 99)


def test_a_copy_is_kept_without_metadata_and_no_larger_than_a_page_shows(project):
    exif = Image.Exif()
    exif[0x010E] = "taken at the author's house"
    exif[0x0112] = 6  # lies on its side
    made = add_picture(project, image(kind="JPEG", size=(3000, 1500), exif=exif), "h.jpg", caption="x")
    one, data = picture_data(project, made.id)
    assert one.picture == made and made.file.endswith(".jpg") and b"author's house" not in data
    with Image.open(io.BytesIO(data)) as opened:
        assert opened.size == (800, 1600) and not opened.getexif()
    clear = add_picture(project, image((1, 2, 3, 90), mode="RGBA"), "m.png", caption="y")
    assert clear.file.endswith(".png")


def test_once_more_changes_what_is_said_and_taken_out_it_is_gone(project):
    first = add_picture(project, image(), "a.png", caption="Harriet as a child")
    again = add_picture(project, image(), "b.png", of=["Harriet"], caption="at ten", from_chapter=2)
    assert first.file == again.file and read_pictures(project.folder) == (again,)
    before = (project.folder / PICTURES_FILE).read_bytes()
    assert add_picture(project, image(), "b.png", of=["Harriet"], caption="at ten", from_chapter=2) == again
    assert (project.folder / PICTURES_FILE).read_bytes() == before
    made = add_picture(project, image(), "a.png", caption="x")
    remove_picture(project.folder, made.id)
    assert not read_pictures(project.folder) and not list((project.folder / PICTURES).iterdir())
    with pytest.raises(UsageError, match="no picture"):
        remove_picture(project.folder, made.id)


@pytest.mark.parametrize(("content", "said", "wrong"), values(__file__, "pictures_refused.tsv"))
def test_what_is_refused_leaves_nothing(project, content, said, wrong):
    content = content if isinstance(content, bytes) else image()[:content]
    with pytest.raises((DocumentError, UsageError), match=wrong):
        add_picture(project, content, "a.png", **said)
    assert not (project.folder / PICTURES_FILE).exists() and not (project.folder / PICTURES).exists()


def test_a_picture_of_too_many_pixels_is_not_opened(project):
    huge = image("black", size=(9000, 8000), mode="1")
    assert len(huge) < 100_000
    with pytest.raises(DocumentError, match="9000 × 8000 pixels"):
        add_picture(project, huge, "a.png", caption="x")


def test_captions_are_found_in_memories_at_the_horizon_only(project):
    add_picture(project, image(), "h.png", of=["Harriet"], caption="in a blue coat on the quay")
    add_picture(project, image("red"), "m.png", caption="A map of the apiaries", from_chapter=9)
    [first, *_] = recall(project, "Where is the map of the bees?", collections=("pictures",)).pictures
    assert first.memory.text == "A map of the apiaries" and first.memory.kind == "picture"
    early = recall(project, "map of the bees", collections=("pictures",), as_of=8).pictures
    assert [one.memory.text for one in early] == ["Harriet Pellow: in a blue coat on the quay"]


def test_captions_of_any_letters_come_back(project):
    said = 'A "quote" \\ [[picture]]\x00\x7f # Größe 夜 \ud800 end'
    made = add_picture(project, image(), "a.png", caption=said)
    assert read_pictures(project.folder) == (made,)
    assert made.caption == 'A "quote" \\ [[picture]] # Größe 夜 end'


@pytest.mark.parametrize(("text", "wrong"), values(__file__, "a_file_that_does_not_hold.tsv"))
def test_a_file_that_does_not_hold_says_where(folder, text, wrong):
    (folder / PICTURES_FILE).write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=wrong):
        read_pictures(folder)


def test_a_backup_holds_pictures_and_verify_knows_a_changed_one(project, tmp_path):
    made = add_picture(project, image(), "a.png", of=["Harriet"], caption="x")
    back_up(project.folder, tmp_path / "b.zip")
    restore(tmp_path / "b.zip", tmp_path / "q")
    with Project.open(tmp_path / "q") as again:
        assert picture_data(again, made.id)[0].picture == made
    assert not verify(project.folder).broken
    (project.folder / PICTURES / made.file).write_bytes(image("red"))
    [broken] = verify(project.folder).broken
    assert broken.part == PICTURES_FILE and "was changed" in broken.detail


def test_the_command_puts_in_lists_saves_and_takes_out(done, refusal, folder, tmp_path):
    (tmp_path / "h.png").write_bytes(image())
    added = ("--add", tmp_path / "h.png", "--of", "Harriet", "--caption", "in blue")
    assert "Harriet Pellow: in blue" in done("pictures", folder, *added)
    [shown] = json.loads(done("pictures", folder, "--save", tmp_path / "out", "--json"))
    assert (tmp_path / "out" / shown["file"]).is_file() and shown["names"] == ["Harriet Pellow"]
    assert done("pictures", folder, "--remove", shown["id"]) == "no pictures\n"
    refusal("pictures", folder, "--caption", "x")
    assert "cannot be read" in refusal("pictures", folder, "--add", tmp_path / "no.png")
