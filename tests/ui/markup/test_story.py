import re

from fabula.ui.markup import story as markup
from fabula.views.findings_shown import FindingShown, FindingsShown
from fabula.views.quotes import QuoteInContext, QuoteShown

EVIL = '<img src=x onerror="bad()">'
SIDE = QuoteInContext(QuoteShown(3, 10, 37, EVIL), f"Before {EVIL}. ", f" After {EVIL}.", EVIL)


def test_quotes_stand_in_their_context():
    html = markup.quotes_in_context([QuoteInContext(QuoteShown(2, 4, 9, "two\nx"), "One. ", " Three.")])
    assert "<cite>ch. 2</cite>" in html
    assert "<span>One. </span><mark>two x</mark><span> Three.</span>" in html
    drafted = markup.quotes_in_context([QuoteInContext(QuoteShown(2, 0, 1, "a", draft=True), "", "")])
    assert "<cite>the draft" in drafted


def test_a_finding_shows_both_sides_what_mends_it_and_why_it_is_meant():
    html = markup.finding_card(
        FindingShown("f", EVIL, "error", EVIL, (), 3, (SIDE, SIDE), EVIL, EVIL, EVIL, 0.25, EVIL, EVIL)
    )
    assert html.count("onerror=&#34;") > 6 and "s-error" in html and "<img" not in html
    assert html.count("<mark>") == 2
    for title in ("To fix", "Unless", "Intended"):
        assert title in html


def summary(**changed):
    given = dict.fromkeys(("counted", "facts_checkable", "facts_checked"), 4) | {
        "findings": (),
        "suppressed": (),
    }
    given |= {"consistency": 0.9, "coverage": 0.5, "words": 2400}
    given |= {"per_10k_words": 4.2, "rate_interval": (1.0, 8.0)}
    return markup.summary_line(FindingsShown(**(given | changed)))


def test_rates_and_long_contexts():
    assert "4.20 counted per 10,000 words [1.00, 8.00]" in summary()
    assert "per 10,000" not in summary(words=400)
    assert "no score" in summary(consistency=None, per_10k_words=None)
    html = markup.quotes_in_context(
        [QuoteInContext(QuoteShown(1, 0, 900, "q" * 900), "b" * 2000, "a" * 2000)]
    )
    assert "q" * 900 in html
    assert re.search("<span>b{700}</span>", html) and re.search("<span>a{700}</span>", html)
