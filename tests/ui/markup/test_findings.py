from tests.ui.markup.test_page import EVIL, SIDE

from fabula.ui.markup import findings as markup
from fabula.views.findings_shown import FindingShown, FindingsShown


def test_a_finding_shows_both_sides_what_mends_it_and_the_authors_note():
    shown = FindingShown(
        "f", EVIL, "error", EVIL, (EVIL,), 3, (SIDE, SIDE), EVIL, EVIL, EVIL, 0.25, EVIL, EVIL
    )
    html = markup.card(shown)
    assert html.count("onerror=&#34;") > 7 and "s-error" in html and "<img" not in html
    assert html.count("<mark>") == 2
    for title in ("To fix", "Unless", "Your note"):
        assert title in html
    assert "1 place to check in the draft" in markup.lead([shown], "the draft")


def numbers(**changed):
    given = dict.fromkeys(("counted", "facts_checkable", "facts_checked"), 4) | {
        "findings": (),
        "suppressed": (),
    }
    given |= {"consistency": 0.9, "coverage": 0.5, "words": 2400}
    given |= {"per_10k_words": 4.2, "rate_interval": (1.0, 8.0)}
    return markup.numbers(FindingsShown(**(given | changed)))


def test_numbers_are_given_where_there_are_any():
    assert "4.20 per 10,000 words (95 % interval 1.00 to 8.00)" in numbers()
    assert "per 10,000" not in numbers(words=400) and "0.90" in numbers()
    assert "No score" in numbers(consistency=None, per_10k_words=None)
