import json

from fabula.ui import charts
from fabula.views.arc_lines import ArcPoint, ArcShown, ArcsShown, BondShown, TurnShown
from fabula.views.quotes import QuoteShown
from fabula.views.times import EventShown


def point(chapter, valence, *bonds):
    return ArcPoint(chapter, valence, 0.5, "joy", "rising", "", (), tuple(bonds), ())


def arc(name, *points, turns=()):
    marks = tuple(TurnShown(chapter, 0.5, (), ()) for chapter in turns)
    return ArcShown(name.lower(), name, "", 0.0, points, (), (), marks)


def event(name, told, position, rank):
    quote = QuoteShown(told, 0, 5, "q" * 200)
    return EventShown(name, name, told, 0, position, rank, "", "fact", "DOES", ("Anna",), "", 0.8, quote)


def values(spec):
    return spec["data"]["values"]


def test_mood_has_a_line_a_character_and_marks_its_turns():
    shown = ArcsShown(3, (arc("Anna", point(1, 0.5), point(3, -0.2), turns=[3]), arc("Boris", point(2, 0.1))))
    spec = charts.mood_chart(shown, what="valence", last=3)
    marks = [(row["who"], row["chapter"], row["valence"], row["turn"]) for row in values(spec)]
    assert marks == [("Anna", 1, 0.5, 0), ("Anna", 3, -0.2, 1), ("Boris", 2, 0.1, 0)]
    scales = {name: spec["encoding"][name]["scale"] for name in ("x", "y", "color")}
    assert scales["y"]["domain"] == [-1, 1] and scales["x"]["domain"] == [1, 3]
    assert scales["color"]["domain"] == ["Anna", "Boris"] and len(set(scales["color"]["range"])) == 2
    assert spec["layer"][1]["params"][0]["name"] == charts.PICK
    json.dumps(spec, allow_nan=False)
    assert charts.mood_chart(shown, what="arousal", last=1)["encoding"]["x"]["scale"]["domain"] == [1, 2]


def test_bonds_keep_those_that_matter_most():
    bonds = [BondShown(str(i), f"P{i}", (i - 3) / 10, "LOVES", "loves") for i in range(7)]
    spec = charts.bond_chart(arc("Anna", point(1, 0.0, *bonds)), last=4, most=2)
    assert {row["who"] for row in values(spec)} == {"P0", "P6"}


def test_time_sets_story_against_telling():
    spec = charts.time_chart([event("a", 1, 0, 1), event("b", 2, 4, 0)], ["b"])
    marks = [(row["telling"], row["story"], row["kind"]) for row in values(spec)]
    assert marks == [(1, 2, "in order"), (5, 1, "out of order")]
    axis = spec["encoding"]["x"]["axis"]
    assert (axis["values"], axis["labelExpr"]) == ([1, 5], "({1:'1',5:'2'})[datum.value]")
    assert all(len(row["quote"]) <= 110 for row in values(spec))


def test_a_click_gives_the_fields_of_its_mark():
    assert charts.chosen({"selection": {"pick": [{"id": "a"}, {"id": "b"}]}}) == {"id": "b"}
    for nothing in ({"selection": {"pick": []}}, {"selection": {}}, {}, None, {"selection": {"pick": "x"}}):
        assert charts.chosen(nothing) is None


def test_a_name_of_the_story_stands_in_no_expression():
    evil = "'); alert(1)//"
    mood = charts.mood_chart(ArcsShown(2, (arc(evil, point(1, 0.5)),)), what="valence", last=2)
    times = charts.time_chart([event(evil, 1, 0, 0)], [])
    tests = [layer["encoding"].get(name) for layer in mood["layer"] for name in ("size", "shape")]
    assert evil not in json.dumps([tests, times["encoding"], times["params"]])
