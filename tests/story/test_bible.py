import re

import pytest
from tests.stories.builder import StoryBuilder
from tests.stories.logs import cut
from tests.tables import rows, values

from fabula.core.types import Horizon
from fabula.story.bible import AUTHOR, bible, canon_lines, canon_notes, grouped, under_names
from fabula.story.codex.codex import Codex
from fabula.story.graph_rag.story_graph import StoryKnowledgeGraph, StoryView
from fabula.story.model.types import WORLD, StoryLog
from fabula.story.plot.ledger import threads_of

CODEX = """\
characters:
  - name: Ann
    description: The baker of the quay
    traits: {eyes: green, hair: brown}
    relations:
      - {predicate: trusts, to: Tom, from_chapter: 2}
  - name: Tom
rules:
  - nobody may row at night
  - {text: the bridge is down, from_chapter: 3}
"""


def lines_of(held, name):
    entry = held.entry(name.lstrip("@"))
    return " | ".join(f"{one.text} {one.chapter}" for one in entry.lines) if entry else ""


def whole():
    """A story in which everything is told that a bible holds."""
    story = StoryBuilder.of("Ann has eyes grey; Ann TRUSTS Tom; Ann wants a boat; Tom feels fear -0.9")
    story.stage("Ann", "@Quay").know("Tom", "hides", "where the key is", "Ann")
    story.thread("promise", "opened", "Tom will bring back the silver watch", "Tom")
    story.chapter(2).stage("Ann", "@Quay").event("DOES", "Ann", what="Ann burns the mill down", key=True)
    story.thread("threat", "opened", "the flood is coming").goal("Ann", "a boat", 2.0)
    story.thread("secret", "opened", "Tom hid the key of the mill", "Tom")
    story.chapter(3).thread("promise", "closed", "the silver watch is given back", "Tom")
    story.thread("secret", "advanced", "a key is missing at the mill", "Tom").bond("Ann", "DISTRUSTS", "Tom")
    return story.quiet().fact("world", "law", "the dead do not speak")


@pytest.mark.parametrize(("what", "story", "about", "lines"), rows(__file__, "bible_says.tsv"))
def test_it_says(what, story, about, lines):
    built = StoryBuilder.of(story)
    held = bible(built.view())
    assert lines_of(held, about) == lines, what
    assert held == bible(built.view())


def test_all_that_is_told_stands_in_it_with_its_quotes():
    story = whole()
    held = bible(story.view())
    assert lines_of(held, "ann").split(" | ") == [
        "Ann has grey eyes 1",
        "Ann distrusts Tom 3",
        "Ann trusts Tom (until chapter 3) 1",
        "Ann burns the mill down 2",
        "Ann wanted a boat; reached (chapter 2) 1",
        "Ann is at Quay in chapters 1, 2 2",
    ]
    assert "Tom hides: where the key is (from Ann) 1" in lines_of(held, "tom")
    assert "Tom feels fear 1" in lines_of(held, "tom")
    assert lines_of(held, "quay") == "Ann is at Quay in chapters 1, 2 2"
    assert [line.text for line in held.entry(WORLD).lines] == ["The dead do not speak"]
    sections = list(dict.fromkeys(one.section for one in held.entries))
    assert sections == ["People", "Places", "The world", "Open threads", "Settled threads"]
    for line in (line for one in held.entries for line in one.lines):
        assert line.evidence
        assert all(quote.span.of(story.text().text) == quote.quote for quote in line.evidence)


@pytest.mark.parametrize("chapter", [1, 2, 3])
def test_nothing_told_later_is_in_it(chapter):
    story = whole()
    alone = StoryView(cut(story.log, chapter), Horizon(chapter))
    held = bible(story.view(chapter), told=3)
    assert held.entries == bible(alone, told=3).entries
    assert all(line.chapter <= chapter for one in held.entries for line in one.lines)


@pytest.mark.parametrize(("told", "found"), values(__file__, "threads_joined.tsv"))
def test_steps_of_a_thread_are_joined_by_kind_and_words(told, found):
    story = StoryBuilder()
    for part in told.split("; "):
        if part.endswith(":"):
            story.chapter(int(part[:-1]))
        else:
            story.thread(*part.split(" ", 2), "Tom")
    threads = threads_of(story.view(), 2)
    steps = [f"{one.kind}: {' '.join(turn.step for turn in one.turns)}" for one in threads]
    assert " | ".join(steps).replace("planted", "opened") == found


def test_threads_of_two_are_two_but_in_the_same_words_and_open_ones_come_first():
    story = StoryBuilder().thread("secret", "opened", "the stolen letter", "Ann")
    story.thread("secret", "closed", "who stole the letter", "Tom").thread("plan", "opened", "a raid")
    story.thread("threat", "opened", "a lawsuit", "Ann").thread("threat", "closed", "a lawsuit", "Tom")
    threads = [one for one in bible(story.view()).entries if one.state]
    assert [(one.name, one.state, one.also) for one in threads] == [
        ("The stolen letter", "open", ("Ann",)),
        ("A raid", "open", ()),
        ("Who stole the letter", "resolved", ("Tom",)),
        ("A lawsuit", "resolved", ("Ann",)),
    ]


def test_what_the_author_lays_down_stands_above_the_text():
    codex = Codex.parse(CODEX)
    log = StoryBuilder.of("Ann has eyes blue; Ann has hair brown; 3:; Ann has hair red / change").log
    tables = StoryLog.__dataclass_fields__
    both = StoryLog(**{name: (*getattr(codex.log, name), *getattr(log, name)) for name in tables})

    def at(chapter):
        view = StoryKnowledgeGraph.from_log(both).as_of(Horizon(chapter))
        return bible(view, descriptions=codex.descriptions, rules=codex.constraints(Horizon(chapter)))

    early = "Ann: The baker of the quay 0 | Ann has green eyes 0 | Ann has brown hair 0"
    assert lines_of(at(1), "ann") == early
    late = at(3)
    assert "Ann has red hair; was brown (the author) 3" in lines_of(late, "ann")
    assert "Ann trusts Tom 2" in lines_of(late, "tom") and "blue" not in lines_of(late, "ann")
    assert [one.text for one in late.entry(WORLD).lines] == ["the bridge is down", "nobody may row at night"]
    assert {one.says for one in late.entry(WORLD).lines} == {AUTHOR}
    assert len(at(2).entry(WORLD).lines) == 1


def count(text):
    return len(re.findall(r"\w+", text))


@pytest.mark.parametrize(("names", "words", "most", "found"), values(__file__, "near_lines.tsv"))
def test_a_passage_is_given_the_lines_that_are_near(names, words, most, found):
    lines = canon_lines(bible(whole().view()), names, [words] if words else [], most_tokens=most, count=count)
    assert [one.text for one in lines if one.text in found] == found
    assert sum(count(one.text) for one in lines) <= most and len(set(lines)) == len(lines)


def test_a_line_may_be_near_by_its_likeness_alone():
    near = {"likeness": lambda texts: [float("mill" in text) for text in texts]}
    lines = canon_lines(bible(whole().view()), ["quay"], ["It was."], most_tokens=50, count=count, **near)
    assert "Ann burns the mill down" in {one.text for one in lines}


def test_lines_stand_numbered_below_the_name_of_whom_they_are_about():
    view = whole().view()
    lines = grouped(canon_lines(bible(view), ["ann"], most_tokens=4, count=lambda _: 1))
    shown = under_names(lines, view.name)
    assert "Ann:" in shown and any(re.fullmatch(r"\d+\. has grey eyes \(1\)", line) for line in shown)
    numbers = [int(line.split(".")[0]) for line in shown if line[0].isdigit()]
    assert numbers == list(range(1, len(lines) + 1))


def test_writers_are_given_lines_of_their_cast():
    notes = canon_notes(bible(whole().view()), ["ann", "quay"])
    texts = {(one.section, one.note.text) for one in notes}
    assert ("Character Info", "Ann has grey eyes (ch. 1).") in texts
    assert all(one.note.evidence for one in notes)
    assert not any("dead do not speak" in text for _, text in texts)  # a rule is a constraint
