"""Kinds of place without a name: which of them lie apart. By hand."""

from __future__ import annotations

__all__ = ["KINDS_OF_PLACE", "far_apart"]

KINDS_OF_PLACE: dict[str, str] = {
    word: label
    for label, words in {
        "home": """bed bedroom bedside chamber room house home parlour study library kitchen drawing-room
                   dining-room cottage attic nursery fireside hearth sofa bath bathroom lodgings flat boudoir
                   armchair pantry scullery cellar sitting-room dressing-room bedchamber rectory vicarage
                   parsonage""",
        "garden": "garden orchard lawn terrace summer-house greenhouse shrubbery conservatory",
        "yard": "stable stables barn yard dairy cow-house byre farmyard hen-house forge smithy coach-house",
        "church": "church chapel pulpit pew altar porch vestry cathedral minster aisle choir belfry",
        "water": """river lake sea ship boat steamer beach sands shore sea-shore pier quay harbour docks deck
                    canal ferry wharf lighthouse""",
        "open": """moor moors heath hill hills downs common field fields meadow wood woods forest hay-field
                   mountain cliff cliffs churchyard hunting-field bog marsh park""",
        "way": "train road coach carriage station railway tram bus gig omnibus highway motor car platform",
        "trade": """office bank shop market counting-house mill factory warehouse mine quarry exchange forge
                    workshop store counter""",
        "law": "court dock gaol jail prison cell police-station cells witness-box courtroom",
        "school": "school schoolroom class classroom college lecture-room playground",
        "play": """theatre club inn tavern ball opera concert music-hall gaming-house public-house pub bar box
                   stalls cinema ballroom dance restaurant cafe hotel alehouse billiard-room card-room
                   race-course racecourse""",
        "sick": "hospital infirmary dentist ward surgery asylum operating-theatre",
    }.items()
    for word in words.split()
}
_NEAR = {
    frozenset(pair.split())
    for pair in ("home garden", "home yard", "garden yard", "garden open", "open yard", "open way",
                 "way water", "church open", "school garden", "home sick")
}  # fmt: skip


def far_apart(one: str, other: str) -> bool:
    """Can nobody be at both of these places, given as ``"the theatre"``, at one moment? Of a place with a
    name and one without, it is not known."""
    first, second = (KINDS_OF_PLACE.get(place.removeprefix("the ")) for place in (one, other))
    if first is None or second is None:
        return False
    return first != second and frozenset((first, second)) not in _NEAR
