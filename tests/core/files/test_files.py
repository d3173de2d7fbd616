import os
import re
import threading
import time
from pathlib import Path

import pytest

import fabula
from fabula.api.settings import Tokens
from fabula.bench.grid import load_grid
from fabula.config import load_config, read_settings
from fabula.core.files.atomic import replace_file
from fabula.core.files.toml import DEEPEST, LARGEST, TomlError, load_toml, parse_toml
from fabula.errors import UsageError
from fabula.llm.usage import PriceTable
from fabula.project.connecting import save_settings
from fabula.story.continuity.suppressions import Suppressions
from fabula.story.corrections import parse_corrections

BOMBS = {
    "arrays": "x = " + "[" * 5_000 + "]" * 5_000,
    "arrays never closed": "x = " + "[" * 200_000,
    "tables": "x = " + "{a = " * 5_000 + "1" + "}" * 5_000,
    "a dotted key": ".".join("a" * 5_000) + " = 1",
    "dotted keys": "".join(f"{'a.' * 100}b{n} = 1\n" for n in range(10_000)),
    "a dotted header": "[" + ".".join("a" * 5_000) + "]",
    "quoted parts": ".".join(['"a"'] * 5_000) + " = 1",
    "a number of many digits": "x = " + "9" * 5_000,
    "too long": "x = 1 #" + "-" * LARGEST,
    "quotes never closed": "x = " + '"' * 200_001,
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_in_a_line_and_at_once(name):
    started = time.process_time()
    with pytest.raises(TomlError) as refused:
        parse_toml(BOMBS[name])
    assert time.process_time() - started < 5
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["arrays", "tables", "a dotted key", "a number of many digits"])
def test_every_file_that_users_give_goes_through_the_same_loader(tmp_path, name):
    file = tmp_path / "fabula.toml"
    file.write_text(BOMBS[name])
    readers = (
        lambda: read_settings(file),
        lambda: load_config(assignments=(f"retrieval.k={BOMBS[name]}",)),
        lambda: save_settings(file, {"retrieval": {"k": 3}}),
        lambda: Tokens.load(file),
        lambda: load_grid(file),
        lambda: PriceTable.from_toml(BOMBS[name]),
        lambda: Suppressions.load(file),
        lambda: parse_corrections(BOMBS[name]),
    )
    for read in readers:
        with pytest.raises(UsageError) as refused:
            read()
        assert "\n" not in str(refused.value)
    assert file.read_text() == BOMBS[name]


def test_no_module_parses_toml_by_itself():
    package = Path(fabula.__file__).parent
    parses = re.compile(r"^\s*(?:import|from) tomllib\b", re.MULTILINE)
    found = [file for file in package.rglob("*.py") if parses.search(file.read_text(encoding="utf-8"))]
    own = {file.relative_to(package).as_posix() for file in found}
    assert own == {"core/files/toml.py", "story/time/grammar.py"}  # the second reads its own table


def test_brackets_in_texts_do_not_count_and_nesting_up_to_the_limit_is_read():
    dots, brackets = "." * 500, "[{" * 500
    text = f'# {dots}{brackets}\na = \'{dots}{brackets}\'\nb = "{dots}{brackets}\\"["\n'
    text += f'c = \'\'\'\n{dots}\n{brackets}\'\'\'\nd = """\n{dots}""{brackets}\\""""\n'
    assert parse_toml(text)["a"] == dots + brackets
    numbers = ", ".join(["1.5"] * 500)
    assert len(parse_toml(f"x = [{numbers}]")["x"]) == 500
    assert parse_toml(f"x = {'[' * DEEPEST}{']' * DEEPEST}")["x"]
    assert parse_toml(".".join("a" * DEEPEST) + " = 1")["a"]


@pytest.mark.parametrize(
    ("data", "said"), [(b"x = '\xff'", "no UTF-8"), (b"#" * (4 * LARGEST + 10), "at most")]
)
def test_a_file_that_is_no_text_or_too_long_is_refused(tmp_path, data, said):
    (tmp_path / "x.toml").write_bytes(data)
    with pytest.raises(TomlError, match=said):
        load_toml(tmp_path / "x.toml")
    with pytest.raises(OSError, match="No such"):
        load_toml(tmp_path / "none.toml")


def test_an_old_file_gives_way_with_its_rights(tmp_path):
    file = tmp_path / "made" / "on the way" / "report.json"
    replace_file(file, "one\n")
    assert file.read_bytes() == b"one\n"
    file.chmod(0o600)
    replace_file(file, "two – zwei\n")
    assert file.read_text("utf-8") == "two – zwei\n"
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(file.parent.iterdir()) == [file]


def test_what_cannot_be_written_leaves_the_old_file(tmp_path, monkeypatch):
    file = tmp_path / "report.json"
    replace_file(file, "old")
    for place, text in ((file, "half a character \ud800"), (tmp_path, "a folder is no place for a file")):
        with pytest.raises(UsageError, match="cannot be written"):
            replace_file(place, text)
    monkeypatch.setattr(os, "fsync", _full)
    with pytest.raises(UsageError, match="No space left"):
        replace_file(file, "new")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_pipe_is_written_into(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard = []
    listener = threading.Thread(target=lambda: heard.append(pipe.read_text()))
    listener.start()
    replace_file(pipe, "said\n")
    listener.join(60)
    assert heard == ["said\n"]
    assert pipe.is_fifo()


def _full(_):
    raise OSError(28, "No space left on device")
