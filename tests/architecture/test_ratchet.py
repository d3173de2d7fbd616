"""The house only shrinks: lines of code and crowded corners are counted, and each bound is only ever lowered.

Whoever adds something takes something out for it. After a change that shrinks the code, the bounds come down
to what is there then.
"""

from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src"
MOST_LINES = {"src": 68_447, "src/story": 24_177, "tests": 32_783}
LONGEST_MODULE = 600
MOST_SHORT_MODULES = 6  # of fewer than 40 lines
MOST_FOLDERS_OF_ONE = 0  # with one module beside the package's own file


def modules(folder):
    return [path for path in sorted((ROOT / folder).rglob("*.py")) if path.stem != "__init__"]


def lines(path):
    return len(path.read_text(encoding="utf-8").splitlines())


def test_the_house_only_shrinks():
    counted = {folder: sum(lines(path) for path in (ROOT / folder).rglob("*.py")) for folder in MOST_LINES}
    assert {folder: n for folder, n in counted.items() if n > MOST_LINES[folder]} == {}, "take some out"


def test_a_module_is_one_subject():
    long = [str(path.relative_to(SRC)) for path in modules("src") if lines(path) > LONGEST_MODULE]
    assert long == []


def test_short_modules_and_folders_of_one_become_fewer():
    short = [path for path in modules("src") if lines(path) < 40]
    assert len(short) <= MOST_SHORT_MODULES
    alone = [folder for folder, n in Counter(path.parent for path in modules("src")).items() if n == 1]
    assert len(alone) <= MOST_FOLDERS_OF_ONE
