import re

from fabula.ui.markup import story as markup
from fabula.views.arc_lines import GoalShown
from fabula.views.quotes import QuoteInContext, QuoteShown
from fabula.views.world import EdgeShown

EVIL = '<img src=x onerror="bad()">'
SIDE = QuoteInContext(QuoteShown(3, 10, 37, EVIL), f"Before {EVIL}. ", f" After {EVIL}.", EVIL)


def test_quotes_in_context_and_relations_with_both_clocks():
    html = markup.quotes_in_context([QuoteInContext(QuoteShown(2, 4, 9, "two\nx"), "One. ", " Three.")])
    assert "<cite>ch. 2</cite>" in html
    assert "<span>One. </span><mark>two x</mark><span> Three.</span>" in html
    drafted = markup.quotes_in_context([QuoteInContext(QuoteShown(2, 0, 1, "a", draft=True), "", "")])
    assert "<cite>the draft" in drafted
    edge = EdgeShown("e", "a", "b", "TRUSTS", "trusts", 1, 2, 2, 5, 0.9, (SIDE.quote,), 4)
    html = markup.about_edge(edge, ("Anna", "Boris"), [SIDE])
    assert "Anna trusts Boris" in html
    assert "ch. 2, since ch. 2, until ch. 5, confidence 0.90, 1 of 4 quotes" in html


def test_goals_and_long_contexts():
    fates = ("open", "lost", "lost")
    goals = [GoalShown("a", 1, None, fate, ()) for fate in fates]
    assert markup.goals_counted(goals) == "Goals: 1 still open, 2 lost or given up"
    html = markup.quotes_in_context(
        [QuoteInContext(QuoteShown(1, 0, 900, "q" * 900), "b" * 2000, "a" * 2000)]
    )
    assert "q" * 900 in html
    assert re.search("<span>b{700}</span>", html) and re.search("<span>a{700}</span>", html)
