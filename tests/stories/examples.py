"""Examples as the rows of a table beside their test, all read in one test.

The first line names the columns. ``#`` begins a remark, ``¶`` ends a paragraph in a cell, ``-`` is nothing.
"""

from tests.stories.reading import READER


def rows(table):
    """The cells of each row, but for the names of the columns."""
    lines = [line for line in table.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    return [[cell.strip().replace("¶", "\n\n") for cell in line.split("\t")] for line in lines[1:]]


def assert_read(table, read, *, whole=True, parsed=True):
    """Of all cells but the last ``read`` makes what the last says: parts in any order, semicolons between.

    Where that is not the ``whole`` that is found, there may be more, but nothing that begins with a part
    behind a ``!``. Cells that are ``parsed`` are so in one go; all rows that are wrong are said at once.
    """
    examples = rows(table)
    assert examples and len({len(cells) for cells in examples}) == 1, f"{table.name} is no table"
    if parsed:
        READER.parse_ahead("\n\n".join(cell for cells in examples for cell in cells[:-1]))
    wrong = []
    for *given, expected in examples:
        found = set(read(*given))
        parts = {part.strip() for part in expected.split(";") if part.strip() != "-"}
        wanted = {part for part in parts if part[0] != "!"}
        barred = tuple(part[1:] for part in parts - wanted)
        missed = found != wanted if whole else not wanted <= found
        if missed or any(one.startswith(barred) for one in found):
            said = "; ".join(sorted(found)) or "-"
            wrong.append(f"{' | '.join(given)}\n    is read as {said}, not {expected}")
    assert not wrong, f"{len(wrong)} of {len(examples)} rows of {table.name}:\n" + "\n".join(wrong)
