import pytest
from tests.tables import rows

from fabula.errors import UsageError
from fabula.story.corrections import Correction, Corrections


def corrections(told):
    """Those of a line, with semicolons between."""
    found = []
    for one in told.split("; "):
        keys = dict(each.split("=") for each in one.split(" "))
        lists = {key: (keys[key],) if key in keys else () for key in ("who", "names", "into")}
        since = int(keys["from"]) if "from" in keys else None
        found.append(Correction(keys["kind"], **lists, to=keys.get("to", ""), from_chapter=since))
    return found


LONG = ("kind=rename to=B who=" + "A" * 300, "is no name")


@pytest.mark.parametrize(("told", "said"), [*rows(__file__, "refused.tsv"), LONG])
def test_what_is_wrong_by_itself_or_contradicts_another(told, said):
    with pytest.raises(UsageError, match=said):
        Corrections.of(corrections(told))


def test_what_does_not_contradict_and_its_key():
    entries = corrections(
        "kind=rename who=Anne to=Shirley from=1; kind=rename who=Anne to=Blythe from=20; "
        "kind=split who=Vane names=Vane into=Giles from=6; kind=merge who=Giles into=Gil; "
        "kind=retype who=Fox to=location; kind=rename who=Fox to=Inn from=1"
    )
    assert len(Corrections.of(entries).entries) == len({one.id for one in entries}) == 6
    told = ("kind=merge who=A into=B", "kind=merge who=B into=A", "kind=not_a_character who=A")
    keys = {Corrections.of(corrections(one)).key for one in told} | {Corrections.of([]).key}
    assert len(keys) == 4 and "" in keys
