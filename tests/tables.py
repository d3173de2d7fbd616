"""What lies beside a test: texts, and tables a row a line, tabs between cells, escapes as in Python."""

from ast import literal_eval
from pathlib import Path


def rows(test, table):
    """The cells of each row but the first, which names the columns; ``test`` is the test's ``__file__``."""
    lines = Path(test).with_name(table).read_text(encoding="utf-8").split("\n")
    return [tuple(map(_read, line.split("\t"))) for line in lines[1:] if line]


def _read(cell):
    return cell.encode("latin-1", "backslashreplace").decode("unicode_escape")


def values(test, table):
    """The same where the cells are Python literals: quoted text, numbers, lists; remarks may follow a row."""
    lines = Path(test).with_name(table).read_text(encoding="utf-8").split("\n")
    return [tuple(map(literal_eval, line.split("\t"))) for line in lines[1:] if line]


def file_text(test, file):
    """What stands in a file beside the test."""
    return Path(test).with_name(file).read_text(encoding="utf-8")
