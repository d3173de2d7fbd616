import re

from fabula.ui.markup import story as markup
from fabula.views.arc_lines import ArcPoint, ArcShown, GoalShown, TurnShown
from fabula.views.findings_shown import FindingShown, FindingsShown, RuleShown
from fabula.views.quotes import QuoteInContext, QuoteShown
from fabula.views.times import EventShown
from fabula.views.world import EdgeShown, NodeShown

EVIL = '<img src=x onerror="bad()">'
QUOTE = QuoteShown(3, 10, 10 + len(EVIL), EVIL)
SIDE = QuoteInContext(QUOTE, f"Before {EVIL}. ", f" After {EVIL}.", EVIL)
EDGE = EdgeShown("e", "a", "b", "TRUSTS", "trusts", 1, 2, 2, 5, 0.9, (QUOTE,), 4)
FINDING = FindingShown(
    "f" * 16, EVIL, "error", EVIL, (EVIL,), 3, (SIDE, SIDE), EVIL, EVIL, f"model:{EVIL}", 0.25, EVIL, EVIL
)


def shown(**changed):
    given = {
        "findings": (),
        "suppressed": (),
        "counted": 1,
        "consistency": 0.9,
        "coverage": 0.5,
        "per_10k_words": 4.2,
        "rate_interval": (1.0, 8.0),
        "facts_checkable": 8,
        "facts_checked": 4,
        "words": 2400,
    }
    return FindingsShown(**(given | changed))


def test_nothing_of_the_story_becomes_markup():
    point = ArcPoint(1, 0.1, 0.2, EVIL, EVIL, EVIL, (EVIL,), (), (QUOTE,))
    made = [
        markup.empty(EVIL, EVIL),
        markup.about_edge(EDGE, (EVIL, EVIL), [SIDE]),
        markup.about_node(NodeShown(EVIL, EVIL, "character", (EVIL,), 1, 2, 3, (QUOTE,)), [SIDE]),
        markup.about_event(
            EventShown("e", EVIL, 1, 0, 0, 0, EVIL, "flashback", "DOES", (EVIL,), EVIL, 0.5, QUOTE), [SIDE]
        ),
        markup.about_point(EVIL, point, [SIDE]),
        markup.arc_head(ArcShown(EVIL, EVIL, EVIL, 0.5, (point,), (), (), ())),
        markup.goals_list([GoalShown(EVIL, 1, 2, EVIL, ())]),
        markup.turns_list([TurnShown(1, 0.5, (EVIL,), ())]),
        markup.sentences([EVIL]),
        markup.finding_card(FINDING),
        markup.rule_help(RuleShown(EVIL, EVIL, f"{EVIL}\n{EVIL}")),
    ]
    for html in made:
        assert "<img" not in html
        assert "&lt;img" in html


def test_quotes_in_context_and_relations_with_both_clocks():
    html = markup.quotes_in_context([QuoteInContext(QuoteShown(2, 4, 9, "two\nx"), "One. ", " Three.")])
    assert "<cite>ch. 2</cite>" in html
    assert "<span>One. </span><mark>two x</mark><span> Three.</span>" in html
    drafted = markup.quotes_in_context([QuoteInContext(QuoteShown(2, 0, 1, "a", draft=True), "", "")])
    assert "<cite>the draft" in drafted
    html = markup.about_edge(EDGE, ("Anna", "Boris"), [SIDE])
    assert "Anna trusts Boris" in html
    assert "ch. 2, since ch. 2, until ch. 5, confidence 0.90, 1 of 4 quotes" in html


def test_a_finding_says_how_sure_its_rule_is():
    html = markup.finding_card(FINDING)
    assert html.count("onerror=&#34;") > 6 and "s-error" in html
    assert html.count("<mark>") == 2
    for title in ("To fix", "Unless", "Intended"):
        assert title in html


def test_rates_goals_and_long_contexts():
    assert "4.20 counted per 10,000 words [1.00, 8.00]" in markup.summary_line(shown())
    assert "per 10,000" not in markup.summary_line(shown(words=400))
    assert "no score" in markup.summary_line(shown(consistency=None, per_10k_words=None))
    goals = [
        GoalShown("a", 1, None, "open", ()),
        GoalShown("b", 1, 2, "lost", ()),
        GoalShown("c", 1, 3, "lost", ()),
    ]
    assert markup.goals_counted(goals) == "Goals: 1 still open, 2 lost or given up"
    long = QuoteInContext(QuoteShown(1, 0, 900, "q" * 900), "b" * 2000, "a" * 2000)
    html = markup.quotes_in_context([long])
    assert "q" * 900 in html
    assert re.search("<span>b{700}</span>", html) and re.search("<span>a{700}</span>", html)
