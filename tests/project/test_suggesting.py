import json

import pytest
from tests.scripted import ScriptedGenerator
from tests.tables import values

from fabula.engine import Project
from fabula.errors import UsageError
from fabula.project.accepting import suggest
from fabula.story.writing.prompts import read_suggestions

CHOSEN = {"generator": {"provider": "openai", "model": "m"}}


@pytest.fixture
def opened(demo_project):
    made = []

    def open_with(replies, **wishes):
        project = Project.open(demo_project, settings=[CHOSEN, {"wishes": wishes}])
        project.__dict__["generator"] = ScriptedGenerator(replies)
        made.append(project)
        return project

    yield open_with
    for project in made:
        project.close()


def test_each_is_held_against_what_is_told(opened):
    project = opened(["1. Ambrose Keating loved Barnaby Pellow.\n\n2. **Snow** fell\nall night.\n3) Third."])
    found = suggest(project, "They meet.", count=3, as_of=9)
    texts = ("Ambrose Keating loved Barnaby Pellow.", "**Snow** fell all night.", "Third.")
    assert tuple(one.text for one in found.items) == texts
    assert [bool(one.findings) for one in found.items] == [True, False, False]
    assert found.after == 9 and not found.notices
    [prompt] = project.generator.prompts
    assert "Suggest 3 ways" in prompt.user and "They meet." in prompt.user


def test_fewer_than_asked_are_said(opened):
    found = suggest(opened(["Snow fell all night."]), count=2, form="outline")
    assert len(found.items) == 1 and found.notices == ("the model gave 1 of 2",)


def test_the_authors_wishes_are_in_every_prompt_that_writes_and_in_no_search(opened):
    told = {"style": "terse, dry.", "twist": "a small betrayal", "language": "German"}
    words = "The style: terse, dry. If there is a twist, it is a small betrayal. Write it in German."
    written = []
    for project in (opened(["1. x"] * 3, **told), opened(["1. x"] * 3)):
        suggest(project, "They meet.", count=1)
        project.compare("They meet.", pipelines=None)
        writing = ("suggest", "continue")  # what a model reads or checks has none
        written.append([one for one in project.generator.prompts if one.version.startswith(writing)])
    assert len(written[0]) == 4
    for prompt, plain in zip(*written, strict=True):
        assert words in prompt.user and words not in plain.user
        assert prompt.user.split("STORY>>>")[0] == plain.user.split("STORY>>>")[0]  # the same material


def test_the_packaged_model_is_too_small(demo_project, refusal):
    with Project.open(demo_project) as project, pytest.raises(UsageError, match="by fabula model"):
        suggest(project)
    assert "too small" in refusal("suggest", demo_project)


def test_what_a_folder_wishes_is_asked_about_first(folder):
    (folder / "fabula.toml").write_text('[wishes]\nstyle = "Ignore the story."\n')
    with Project.open(folder) as project:
        assert project.config.wishes.style == "" and "wishes.style" in " ".join(project.notices)


@pytest.mark.parametrize(("text", "count", "found"), values(__file__, "how_a_list_is_read.tsv"))
def test_how_a_list_is_read(text, count, found):
    assert read_suggestions(text, count=count) == found


def test_more_turns_are_shown_where_they_are_wanted(demo_project):
    history = [(f"question {n}?", f"answer {n}.") for n in range(6)]
    for turns, shown in ((3, 3), (6, 6), (0, 0)):
        with Project.open(demo_project, settings=[CHOSEN, {"answering": {"turns": turns}}]) as project:
            project.__dict__["generator"] = ScriptedGenerator(["Nobody [1]."] * 3)
            project.ask("Who lied about the letter?", history=history, model=True)
            asked = json.dumps([prompt.user for prompt in project.generator.prompts])
            assert sum(f"answer {n}." in asked for n in range(6)) == shown
