import xml.etree.ElementTree as ET

from experiments.common.curves import curves


def test_charts_of_nothing_and_of_hostile_names_and_marks():
    assert curves({}, "t", "x", "y").endswith("</svg>\n")
    lines = {"<script>": [(0.5, -1.0), (1.0, 1.0)]}
    marks = [(0, "1"), (1, "10"), (2, "100")]
    picture = curves(lines, "t & u", "x", "y", across=marks, up=[(-2, "0.01"), (1, "10")])
    assert "<script>" not in picture
    found = [one.text for one in ET.fromstring(picture).iter() if one.tag.endswith("text")]  # noqa: S314
    assert [one for one in found if one[0] in "01"] == ["0.01", "10", "1", "10", "100"]
    assert 'points="171.0,200.0 286.0,40.0"' in picture  # one of three powers from the bottom
