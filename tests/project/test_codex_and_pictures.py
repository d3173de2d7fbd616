import io
import json

import pytest
from PIL import Image
from tests.tables import file_text, values

from fabula.demo import save_story
from fabula.engine import Project
from fabula.errors import DocumentError, HorizonError, UsageError
from fabula.project.codex_editing import CodexDesk, codex_text, with_entry
from fabula.project.keeping.backup import back_up, restore
from fabula.project.keeping.verifying import verify
from fabula.project.pictures import add_picture, picture_data, pictures_at, remove_picture
from fabula.project.recalling import recall
from fabula.project.storage.pictures_file import PICTURES, PICTURES_FILE, read_pictures

CODEX = file_text(__file__, "len_bray.yaml")


def held(folder):
    with Project.open(folder) as project:
        return project.codex and project.codex.document.text


def test_what_is_written_is_the_codex_at_once_and_after_indexing_again(folder, done, tmp_path):
    with Project.open(folder) as project:
        first = codex_text(project)
        assert first.endswith('title: "The Bloom Line"\n') and project.codex is None
    made = CodexDesk(folder).save(CODEX, instead_of=first)
    assert [one.text for one in made.rules] == ["nobody can fly"]
    assert held(folder) == CODEX == (folder / "codex.yaml").read_text()
    with Project.open(folder) as project:
        [rule, *_] = recall(project, "May people fly?", collections=("codex",)).codex
        assert rule.memory.text == "nobody can fly."
    done("index", save_story(tmp_path), "-o", folder)
    assert held(folder) == CODEX


def test_what_is_refused_changes_nothing(folder):
    desk = CodexDesk(folder)
    desk.save(CODEX)
    with pytest.raises(DocumentError, match=r"line 4: characters\.0\.describing"):
        desk.save(CODEX.replace("description", "describing"))
    with pytest.raises(UsageError, match="changed in the meantime"):
        desk.save("title: x\n", instead_of="title: y\n")
    assert held(folder) == CODEX == (folder / "codex.yaml").read_text()


def test_a_codex_that_lies_elsewhere_is_not_written(folder, tmp_path):
    (tmp_path / "mine.yaml").write_text(CODEX)
    with pytest.raises(UsageError, match="outside the project"):
        CodexDesk(folder, settings=[{"codex": "../mine.yaml"}]).save("title: x\n")
    assert (tmp_path / "mine.yaml").read_text() == CODEX


def test_an_entry_is_added_and_all_else_stays_as_it_was_written():
    text = with_entry(CODEX, "characters", 'Anna "Ann" Vale', "A pilot:\n with a scar")
    anna = '  - name: "Anna \\"Ann\\" Vale"\n    description: "A pilot: with a scar"\n'
    assert text == CODEX.replace("characters:\n", f"characters:\n{anna}")
    assert with_entry("title: x\n", "places", "Lima").endswith('places:\n  - name: "Lima"\n')
    flat = with_entry("places:\n# near\n- name: Lima\n", "places", "Cusco")
    assert flat == 'places:\n- name: "Cusco"\n# near\n- name: Lima\n'
    for codex, table, name, said in (
        ("places: [{name: Lima}]\n", "places", "Cusco", "by hand"),
        (CODEX, "places", "Len Bray", "already"),
        (CODEX, "rules", "x", "tables"),
    ):
        with pytest.raises((UsageError, DocumentError), match=said):
            with_entry(codex, table, name)


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
