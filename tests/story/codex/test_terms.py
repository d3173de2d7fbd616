"""Traits that an author lays down, as the values that a text is read for."""

from __future__ import annotations

from fabula.story.codex.terms import LaidDown, Unreadable, laid_down


def test_traits_by_family():
    for aspect, written, expected in (
        ("eyes", "Grey", LaidDown("eyes", "grey")),
        ("eyes", "blue-grey", LaidDown("eyes", "blue/grey")),
        ("hair", "raven", LaidDown("hair", "black")),
        ("hand", "left", LaidDown("hand", "left")),
        ("profession", "surgeon", LaidDown("trade", "surgeon")),
        ("siblings", "2", LaidDown("siblings", "2")),
        ("birthplace", "Port  Royal", LaidDown("birthplace", "port royal")),
    ):
        assert laid_down(aspect, written) == expected, (aspect, written, expected)
        assert isinstance(laid_down(aspect + "x", written), Unreadable), (
            aspect,
            written,
            expected,
        )
