import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stories.novel import CAST, novel, view_of

from fabula.core.types import Chapter, Document, Evidence, Span
from fabula.errors import EvidenceError, UsageError
from fabula.story.codex.codex import CODEX_ID, Codex
from fabula.story.injection import Half, InjectedBook, families, inject
from fabula.story.injection.phrasings import variants
from fabula.story.injection.spots import Draft
from fabula.story.injection.weaving import Woven


@pytest.fixture(scope="module")
def clean():
    return novel()


@pytest.fixture(scope="module")
def view(clean):
    return view_of(clean)


@pytest.fixture(scope="module")
def books(clean, view):
    return [inject(clean, view=view, seed=seed, half=Half.ALL) for seed in range(6)]


def _slips(books, family):
    found = [slip for book in books for slip in book.slips() if slip.family == family]
    assert found, f"no {family} in any copy"
    return found


# --- what holds for every copy


def test_same_seed_same_bytes(clean, view, books):
    assert inject(clean, view=view, seed=3, half=Half.ALL) == books[3]
    assert len({book.document.text for book in books}) == len(books)


def test_every_edit_and_gold_quote_stands_where_it_says(books):
    for book in books:
        book.verify()
        for injection in book.injections:
            for edit in injection.edits:
                body = book.document.chapter(edit.chapter).body
                assert body.contains(edit.placed)
                assert edit.placed.of(book.document.text) == edit.words
    broken = replace(books[0], document=replace(books[0].document, text=" " + books[0].document.text))
    with pytest.raises(EvidenceError):
        broken.verify()


def test_without_its_edits_a_copy_is_the_novel(clean, books):
    for book in books:
        edits = sorted((e for i in book.injections for e in i.edits), key=lambda edit: edit.placed)
        text, last = "", 0
        for edit in edits:
            text += book.document.text[last : edit.placed.start]
            text += edit.replaced.of(clean.text)
            last = edit.placed.end
        text += book.document.text[last:]
        assert text.split() == clean.text.split()


def test_chapters_keep_their_headings(clean, books):
    for book in books:
        document = book.document
        assert (document.id, document.title) == (clean.id, clean.title)
        for old, new in zip(clean.chapters, document.chapters, strict=True):
            assert (old.number, old.title) == (new.number, new.title)
            assert old.heading.of(clean.text) == new.heading.of(document.text)


def test_there_are_slips_of_every_family_and_controls(books):
    found = Counter(slip.family for book in books for slip in book.slips())
    assert set(found) == set(families())
    assert all(count <= 2 * len(books) for count in found.values())
    changes = {control.aspect for book in books for control in book.controls()}
    assert len(changes) >= 10
    assert changes <= {variant.control for variant in variants()}


def test_the_halves_share_no_wording_that_is_split(clean, view):
    said = {}
    for half in (Half.DEVELOPMENT, Half.HELD_OUT):
        copies = [inject(clean, view=view, seed=seed, half=half) for seed in range(2)]
        said[half] = {e.phrasing for copy in copies for i in copy.slips() for e in i.edits}
    assert said[Half.DEVELOPMENT] and said[Half.HELD_OUT]
    assert not said[Half.DEVELOPMENT] & said[Half.HELD_OUT]


def test_nothing_is_said_twice_of_one_person(books):
    for book in books:
        keys = [
            (slip.aspect if len(slip.characters) == 1 else "pair", *sorted(slip.characters))
            for slip in book.injections
            if set(slip.characters) <= {"anna", "robert", "mr-hale", "mrs-dixon", "the-narrator"}
            and slip.family not in ("name_drift", "canon_conflict")
            and slip.source != "novel"
        ]
        assert not [key for key, count in Counter(keys).items() if count > 1]


def test_insertions_do_not_touch_one_another(books):
    for book in books:
        placed = sorted(edit.placed for i in book.injections for edit in i.edits)
        for one, other in pairwise(placed):
            between = book.document.text[one.end : other.start]
            assert len(between.split()) > 20


def test_an_unknown_family_is_refused(clean, view):
    with pytest.raises(UsageError, match="no family 'ghosts'"):
        inject(clean, view=view, families=["ghosts"])


def test_asking_for_one_family_gives_one(clean, view):
    book = inject(clean, view=view, families=["count_conflict"], per_family=3, controls=1, half=Half.ALL)
    assert Counter((i.family, i.control) for i in book.injections) == {
        ("count_conflict", False): 3,
        ("count_conflict", True): 1,
    }
    assert book.codex == ""


def test_a_book_without_narration_is_left_alone():
    text = '"Is it you?" said Anna.\n\n"It is," said Robert.\n\n' * 30
    talk = Document("talk", "Talk", text, (Chapter(1, "1", Span(0, 0), Span(0, len(text))),))
    book = inject(talk, view=view_of(talk))
    assert book == InjectedBook(talk, ())


# --- what holds for each kind


def test_two_sides_far_apart_name_the_same_person(books):
    for slip in _slips(books, "attribute_conflict"):
        early, late = slip.edits
        assert early.chapter < late.chapter
        assert early.phrasing.rsplit("/", 1)[1] != late.phrasing.rsplit("/", 1)[1]
        for edit in slip.edits:
            names = [
                name for name in CAST if name.lower().replace(".", "").replace(" ", "-") in slip.characters
            ]
            assert all(name in " ".join(edit.words.split()) for name in names)


def test_ages_fall(books, clean, view):
    ages = "nineteen twenty-six thirty-four forty-three fifty-five".split()
    more = [inject(clean, view=view, seed=s, half=Half.ALL, families=["attribute_conflict"], per_family=5)
            for s in range(4)]  # fmt: skip
    slips = [slip for slip in _slips([*books, *more], "attribute_conflict") if slip.aspect == "age"]
    assert slips
    for slip in slips:
        early, late = (next(i for i, age in enumerate(ages) if age in e.words.lower()) for e in slip.edits)
        assert early > late


def test_the_dead_are_not_about_in_the_novel_any_more(books, clean):
    for slip in _slips(books, "dead_then_acts"):
        early, late = slip.edits
        assert early.chapter < late.chapter
        if slip.characters == ("pell",):
            assert early.chapter > 5
        else:
            assert slip.characters[0].split()[1] not in clean.text
    assert any(slip.characters == ("pell",) for slip in _slips(books, "dead_then_acts"))


def test_a_novel_that_never_places_a_person_elsewhere_is_the_other_side(books):
    slips = [slip for slip in _slips(books, "two_places_at_once") if slip.source == "novel"]
    assert slips
    for slip in slips:
        (edit,) = slip.edits
        told, _ = slip.gold
        assert {quote.chapter for quote in told.quotes} == {edit.chapter}
        names = {name for name in (*CAST, "Pell") if name in edit.words.replace("\n", " ")}
        assert names and all(names & {n for n in (*CAST, "Pell") if n in q.quote} for q in told.quotes)


def test_one_mention_of_a_name_is_spelt_otherwise(books, clean):
    slips = [slip for slip in _slips(books, "name_drift") if slip.aspect == "spelling"]
    assert slips
    for slip in slips:
        (edit,) = slip.edits
        assert edit.replaced.of(clean.text) in CAST
        assert edit.words not in clean.text
        early, _ = slip.gold
        right = edit.replaced.of(clean.text).split()[-1]
        assert {quote.quote for quote in early.quotes} == {right}
        assert len(early.quotes) == len(re.findall(rf"\b{right}\b", clean.text)) - 1


def test_bonds_stand_close_or_far(books):
    for slip in _slips(books, "relationship_conflict"):
        assert slip.edits[0].chapter == slip.edits[1].chapter
        assert len(slip.characters) == 2
    for slip in _slips(books, "unearned_change"):
        assert slip.edits[0].chapter < slip.edits[1].chapter


def test_one_sided_slips_have_one_side(books):
    for family in ("never_introduced", "orphaned_event", "abandoned_goal"):
        for slip in _slips(books, family):
            assert len(slip.gold) == len(slip.edits) == 1
            assert slip.source == "none"
    for slip in _slips(books, "orphaned_event"):
        assert slip.edits[0].chapter > 1


def test_a_change_is_accounted_for_between_its_sides(books):
    turned = [c for book in books for c in book.controls() if "turn" in [e.side for e in c.edits]]
    assert turned
    for control in turned:
        assert [edit.side for edit in control.edits] == ["early", "turn", "late"]
        places = [edit.placed for edit in control.edits]
        assert places == sorted(places)


def test_canon_conflicts_come_with_a_codex_that_can_be_read(books):
    for book in books:
        codex = Codex.parse(book.codex)
        assert codex.document.text == book.codex
        for slip in (each for each in book.slips() if each.family == "canon_conflict"):
            laid_down, told = slip.gold
            assert laid_down.quotes[0].document_id == CODEX_ID
            assert laid_down.quotes[0].quote in book.codex
            assert told.quotes[0].document_id == book.document.id


def test_a_narrator_may_speak_of_himself():
    document = novel(first_person=True)
    view = view_of(document)
    copies = [inject(document, view=view, seed=seed, half=Half.ALL) for seed in range(4)]
    mine = [i for copy in copies for i in copy.injections if "the-narrator" in i.characters]
    assert mine
    for injection in mine:
        for edit in injection.edits:
            assert re.search(r"\b(?:I|[Mm]y)\b", edit.words)
        assert injection.family != "canon_conflict"


def test_the_book_s_own_marks_are_used(books):
    for book in books:
        said = "".join(edit.words for i in book.injections for edit in i.edits)
        assert '"' in said and not set("“”’—") & set(said)
        assert all(len(line) <= 80 for line in book.document.text.splitlines())


# --- weaving


def test_where_things_stand_after_weaving_by_hand():
    text = "One. Two.\n\nThree."
    chapters = (Chapter(1, "a", Span(0, 0), Span(0, 9)), Chapter(2, "b", Span(11, 11), Span(11, 17)))
    drafts = [
        Draft(2, Span(11, 16), "", "Tree", "", "late", "p2"),
        Draft(1, Span(4, 5), " ", "And so.", "\n", "early", "p1"),
    ]
    woven = Woven(Document("d", "D", text, chapters), drafts)
    assert woven.document.text == "One. And so.\nTwo.\n\nTree."
    assert [edit.placed for edit in woven.edits] == [Span(19, 23), Span(5, 12)]
    assert [c.body.of(woven.document.text) for c in woven.document.chapters] == [
        "One. And so.\nTwo.",
        "Tree.",
    ]
    moved = woven.moved(Evidence("d", 1, Span(5, 9), "Two."))
    moved.verify(woven.document.text)


@given(st.data())
def test_weaving_moves_every_quote_with_its_words(data):
    words = data.draw(st.lists(st.text("abc", min_size=1, max_size=5), min_size=4, max_size=30))
    text = " ".join(words)
    cuts = sorted(
        data.draw(st.sets(st.sampled_from([m.start() for m in re.finditer(" ", text)]), max_size=6))
    )
    drafts = [Draft(1, Span(cut, cut), " ", data.draw(st.text("XYZ", min_size=1, max_size=9)), "", "late",
              "p") for cut in cuts]  # fmt: skip
    woven = Woven(Document("d", "D", text, (Chapter(1, "1", Span(0, 0), Span(0, len(text))),)), drafts)
    for edit, draft in zip(woven.edits, drafts, strict=True):
        assert edit.placed.of(woven.document.text) == draft.words
    for match in re.finditer(r"\w+", text):
        moved = woven.moved(Evidence("d", 1, Span(match.start(), match.end()), match[0]))
        moved.verify(woven.document.text)
    assert woven.document.chapters[0].body == Span(0, len(woven.document.text))
