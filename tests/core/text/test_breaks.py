import pytest

from fabula.core.text.sentences import is_heading, is_scene_break

BREAKS = (
    "* * *|~|#|⁂|***|---|• • •|~~~|❦|§|-- * --|[* * *]|◆|...|…|x x x|—|___|+|o0o|✦|oOo|-oOo-|xXx|0o0|~ * ~"
    "|◇ ◆ ◇|☙❧|.|=====|***  ***|///|†|♥|☕️|—o—|X X X|••|- - -|&|@"
)
NONE = "?|!|?!|xo|ox|XXX|ooh|x|X|no|* no *|“|”|-3-|“...”|$|xoxo|oxygen|>||()|```|" + "x" * 60


@pytest.mark.parametrize("line", BREAKS.split("|"))
def test_ornaments_part_scenes(line):
    assert is_scene_break(f"  {line} \r\n")


@pytest.mark.parametrize("line", ["| - |", *NONE.split("|")])
def test_what_says_something_does_not(line):
    assert not is_scene_break(line)


def test_headings_of_markdown():
    assert is_heading("## The Mill") and is_heading("# 1 ##\n")
    assert not any(map(is_heading, ["##", "# #", "#mill", " text", "####### Seven", "# " + "a" * 300]))
