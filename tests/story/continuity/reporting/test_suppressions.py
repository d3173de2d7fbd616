import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import rows

from fabula.core.types import Evidence, Span
from fabula.errors import UsageError
from fabula.story.continuity.suppressions import Suppressions, note_finding
from fabula.story.model.findings import Severity, Violation


def finding(rule="eyes", message="Grey, then brown."):
    quotes = ("Her eyes were grey.", "Elena’s eyes,\nbrown as peat")
    sides = tuple(Evidence("book", 1, Span(0, len(quote)), quote) for quote in quotes)
    return Violation(rule, Severity.ERROR, message, ("elena-voss", "hale"), sides)


def test_by_fingerprint():
    one, other = finding(), finding(rule="hair")
    entry = "[[suppress]]\nfingerprint = '{}'\nreason = '{}'\n"
    text = entry.format(one.fingerprint, "lenses") + entry.format("0" * 16, "none")
    sifted = Suppressions.parse(text).sift((one, other))
    assert sifted.kept == (other,) and [each.reason for each in sifted.stale] == ["none"]
    assert [(each.violation, each.reason) for each in sifted.suppressed] == [(one, "lenses")]


@pytest.mark.parametrize(("text", "said"), rows(__file__, "damaged_suppressions.tsv"))
def test_a_damaged_file_is_one_clear_line(text, said, tmp_path):
    path = tmp_path / "s.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=said) as caught:
        Suppressions.load(path)
    assert "\n" not in str(caught.value).strip()
    assert str(path) in str(caught.value)


def test_bytes_that_are_no_text_and_no_file_at_all(tmp_path):
    path = tmp_path / "s.toml"
    path.write_bytes(b"\xff\xfe\x00")
    for bad in (path, tmp_path / "none.toml", tmp_path):
        with pytest.raises(UsageError, match="cannot be read"):
            Suppressions.load(bad)


def test_appending_keeps_what_stands_there(tmp_path):
    path = tmp_path / "new" / "s.toml"
    note_finding(path, finding(), reason="first")
    mine = path.read_text() + "\n# my own note\n"
    path.write_text(mine)
    note_finding(path, finding(rule="hair"), reason="second")
    assert path.read_text().startswith(mine.rstrip())
    kept = Suppressions.load(path)
    assert [each.reason for each in kept.entries] == ["first", "second"]
    assert kept.sift([finding(), finding(rule="hair")]).kept == ()
    note_finding(path, finding(), reason="", state="later")
    assert [(one.state, one.reason) for one in Suppressions.load(path).entries] == [
        ("meant", "second"),
        ("later", ""),
    ]
    assert Suppressions.load(path).sift([finding()]).kept == (finding(),)
    note_finding(path, finding(rule="hair"), reason="", state=None)
    assert [one.state for one in Suppressions.load(path).entries] == ["later"]
    assert "# my own note" in path.read_text()
    with pytest.raises(UsageError, match="reason"):
        note_finding(path, finding(rule="x"), reason=" ")


@given(reason=st.text(min_size=1).filter(str.strip), message=st.text())
def test_any_reason_and_any_story_text_make_a_sound_file(tmp_path_factory, reason, message):
    path = tmp_path_factory.mktemp("s") / "s.toml"
    one = finding(message=message)
    try:
        note_finding(path, one, reason=reason)
    except UsageError:  # nothing is left of the reason but what TOML cannot hold
        assert not path.exists() or not tomllib.loads(path.read_text(encoding="utf-8")).get("suppress")
        return
    assert Suppressions.load(path).sift([one]).kept == ()
    note_finding(path, one, reason=reason, state="later")
    assert [each.state for each in Suppressions.load(path).entries] == ["later"]
    note_finding(path, one, reason="", state=None)
    assert Suppressions.load(path).entries == ()
