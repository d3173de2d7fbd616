"""Words run together are written out, and what stands between commas may be passed over."""

from fabula.story.extraction.patterns.masking import readings, spelled_out

SPELLED_OUT = {
    "§0's in ¤, and §0'm the third of three": "§0 is in ¤, and §0 am the third of three",
    "§0's dead wife": "§0's dead wife",
    "§0's dead.": "§0 is dead.",
}
ASIDES = {
    "§0, who had lain ill since sunday, was no more.": "§0 was no more.",
    "§0's heart, never strong, stopped that night.": "§0's heart stopped that night.",
    "§0, the old schoolmaster, died.": "§0 died.",
}


def test_words_run_together_are_read_as_if_written_out():
    assert {words: spelled_out(words) for words in SPELLED_OUT} == SPELLED_OUT


def test_what_stands_between_commas_may_be_passed_over():
    assert {words: readings(words) for words in ASIDES} == {
        words: (words, core) for words, core in ASIDES.items()
    }


def test_nothing_else_is_passed_over():
    for words in ("§0, and then the others, rose.", "§0, who died in june, and §1 were friends.", "§0 died."):
        assert readings(words) == (words,)
