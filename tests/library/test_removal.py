import shutil

import pytest

from fabula.errors import UsageError
from fabula.library.library import DEMO, Library


@pytest.fixture
def library(demo_project, tmp_path):
    shutil.copytree(demo_project, tmp_path / "home" / DEMO)
    return Library(tmp_path / "home")


def test_a_story_goes_with_all_that_was_made_of_it(library):
    library.remove(DEMO)
    assert library.entries() == []
    assert list(library.root.iterdir()) == []


@pytest.mark.parametrize("name", ["notes", "nothing", "..", ".", "", "/etc", "../home", f"{DEMO}/../{DEMO}"])
def test_only_a_story_of_the_library_can_go(library, name):
    (library.root / "notes").mkdir()
    with pytest.raises(UsageError, match="no story"):
        library.remove(name)
    assert [entry.name for entry in library.entries()] == [DEMO] and (library.root / "notes").is_dir()


def test_a_link_to_elsewhere_is_not_followed(library, tmp_path):
    (library.root / DEMO).rename(tmp_path / "elsewhere")
    (library.root / DEMO).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError):
        library.remove(DEMO)
    assert (tmp_path / "elsewhere" / "fabula.db").is_file()
