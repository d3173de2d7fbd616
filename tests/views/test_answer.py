"""An answer for a terminal: what it shows depends on how sure the reader is of its words."""

from dataclasses import replace

from fabula import Project
from fabula.views.text.answer import NEAREST, answered_text, wrapped


def test_words_that_are_likely_the_answer_stand_above_their_quotes(demo_project):
    with Project.open(demo_project) as project:
        asked = project.ask("Who died on the Long Trestle?", model=False)
    sure = replace(asked, short="Barnaby Pellow", confidence=0.8)
    unsure = replace(asked, short="", confidence=0.4)
    told, nearest = answered_text(sure).splitlines(), answered_text(unsure).splitlines()
    assert (told[0], nearest[0]) == ("Barnaby Pellow", NEAREST)
    assert told[1:-1] == nearest[1:-1]
    assert told[1].startswith("    “")
    assert told[-1] == "80% sure of this answer"
    assert nearest[-1] == "40% sure that one of these quotes answers"
    refused = replace(asked, short="", told=False, extractive=False, citations=(), confidence=0.2)
    assert "20% sure that the story answers this" in answered_text(refused).splitlines()


def test_lines_are_indented_as_asked():
    assert wrapped("word " * 30).splitlines()[1].startswith("word")
    assert all(line.startswith("  word") for line in wrapped("word " * 30, indent="  ").splitlines())
