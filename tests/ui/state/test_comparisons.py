import json
from dataclasses import replace

import pytest
from tests.stories.comparison_fakes import make_engine

from fabula.core.documents import document_from_text
from fabula.core.runtime.memory_monitor import MemoryMonitor
from fabula.core.types import Horizon
from fabula.ui.state import comparisons

TEXT = "# T\n\n## Chapter 1\n\nAnna met Bela.\n\n## Chapter 2\n\nIt rained.\n\n## Chapter 3\n\nIt snowed.\n"


def document(text=TEXT):
    return document_from_text(text, id="t", title="T")


@pytest.fixture(scope="module")
def report():
    return make_engine().compare("Anna meets Bela at the mill.", horizon=Horizon(2))


@pytest.fixture
def keep(tmp_path, report):
    memory = MemoryMonitor(budget=1 << 40).report
    return lambda as_of=2, **changed: comparisons.keep(
        tmp_path, document(), as_of, (replace(report, **changed),), memory
    )


def test_a_report_comes_back_as_it_was_newest_first(tmp_path, keep, report):
    names = [keep(), keep(prompt="Later.")]
    kept, _ = comparisons.kept(tmp_path, document(), 2)
    assert list(kept) == names[::-1]
    assert kept[names[0]].reports == (report,)
    assert "Anna meets Bela" in kept[names[0]].label


def test_nothing_is_shown_before_the_chapter_it_was_written_after(tmp_path, keep):
    keep()
    assert comparisons.kept(tmp_path, document(), 1) == ({}, 1)


def test_a_changed_text_hides_it_from_who_has_not_read_all(tmp_path, keep):
    keep()
    changed = document(TEXT.replace("It rained.", "It thundered."))
    assert comparisons.kept(tmp_path, changed, 2) == ({}, 1)
    assert len(comparisons.kept(tmp_path, changed, 3)[0]) == 1
    assert len(comparisons.kept(tmp_path, document(TEXT.replace("snowed", "hailed")), 2)[0]) == 1


def test_the_oldest_go_and_one_can_be_deleted(tmp_path, keep, monkeypatch):
    monkeypatch.setattr(comparisons, "_MOST", 2)
    names = [keep() for _ in range(3)]
    assert list(comparisons.kept(tmp_path, document(), 3)[0]) == [names[2], names[1]]
    comparisons.delete(tmp_path, names[2])
    comparisons.delete(tmp_path, "../../t")
    assert list(comparisons.kept(tmp_path, document(), 3)[0]) == [names[1]]


@pytest.mark.parametrize("change", [lambda _: "{", lambda one: json.dumps({**one, "schema": "x"})])
def test_a_damaged_file_is_passed_over(tmp_path, keep, change):
    name, other = keep(), keep()
    file = tmp_path / comparisons.FOLDER / f"{name}.json"
    file.write_text(change(json.loads(file.read_text())))
    assert list(comparisons.kept(tmp_path, document(), 3)[0]) == [other]
