"""Words that put somebody on stage or keep him off it: verbs, prepositions, and what people bring along.

Written by hand; the groups follow the verb classes of Levin 1993 loosely, and the numbers beside them are a
pointer there, not a claim that the lists are Levin's.
"""

from __future__ import annotations

__all__ = [
    "ARRIVING",
    "AT",
    "BODY",
    "DISTANT",
    "ENTERING",
    "FACING",
    "GOING",
    "INTO",
    "LEAVING",
    "NEAR",
    "ROOMS",
    "SPANS_OF_TIME",
    "SPEAKING",
    "STAYING",
    "THINKING",
    "TOGETHER",
    "is_room",
]

# saying, in the hearing of somebody (37.1-37.9), and signs given to somebody (40.2, 40.3)
SPEAKING = frozenset(
    """say reply answer cry exclaim whisper ask murmur mutter shout remark observe add declare call continue
    return tell demand inquire enquire repeat explain begin agree growl sigh laugh snap suggest protest insist
    retort speak talk chat nod bow beckon smile wave wink curtsey curtsy turn holler yell sing pray
    interrupt greet thank address question assure""".split()
)

# what is done to somebody who need not be there (31.2 admire, 32 want, 29.1 appoint, 29.9 conjecture, 30.2)
THINKING = frozenset(
    """think remember recall forget imagine dream love hate admire miss expect mention name know believe
    suppose fear respect pity envy blame suspect prefer like dislike despise adore detest regret want need
    wish forgive trust distrust doubt understand consider judge deem esteem value resemble concern describe
    marry divorce await reckon allow mean study""".split()
)

# done from afar (37.4, 11.1)
DISTANT = frozenset("write telegraph telegram send post cable mail forward summon hear read".split())

# said, looked, given, gone to somebody
FACING = frozenset("to at upon on towards toward into against".split())
NEAR = frozenset("beside near behind opposite before around round by between among over past after".split())
TOGETHER = frozenset("with along".split())

# parts of the body and what is seen or heard of somebody who is there
BODY = frozenset(
    """hand hands arm arms eye eyes face head voice lips lip mouth shoulder shoulders hair cheek cheeks
    forehead brow finger fingers foot feet leg legs knee knees neck breast breath back smile glance look gaze
    tone tears countenance step steps footsteps lap figure side elbow sleeve expression laugh chin nose
    ear ears throat words answer reply question""".split()
)

# motion whose end is reached: behind "to", "into", "at" (51.1 inherently directed, 51.4 by vehicle)
ARRIVING = frozenset(
    """arrive come get return enter reach land alight settle repair adjourn burst step
    hurry run walk ride drive sail travel proceed descend stroll march creep rush hasten
    wander drift pass climb follow bring take lead conduct carry usher show""".split()
)
# being and staying somewhere, and what is done where one is (47.1 exist, 46 lodge, 47.6 spatial, 36.3 meet,
# 39.5 dine, 50 posture)
STAYING = frozenset(
    """be stay remain stand sit wait lie lodge linger sleep camp kneel breakfast dine sup lunch eat dance meet
    assemble gather collect rest pause stop halt find spend pass join await receive greet encounter welcome
    confine seat establish install instal work play sing read write talk walk pace appear""".split()
)
# one who goes is not on stage for it, until something is told of him there
GOING = frozenset("go depart start set leave retire withdraw retreat slip steal".split())
# what is entered, behind no preposition (51.1)
ENTERING = frozenset("enter reach visit gain regain attain re-enter".split())
LEAVING = frozenset("leave quit depart vacate desert".split())
INTO = frozenset("to into at in inside within".split())
AT = frozenset("in at inside within".split())

# within a house, and so no move away from it
ROOMS = frozenset(
    """room hall kitchen library parlour parlor drawing-room dining-room dining-hall sitting-room bedroom
    bed-room chamber study nursery schoolroom ballroom ball-room breakfast-room billiard-room cellar attic
    garret staircase corridor passage gallery porch verandah veranda garden shrubbery conservatory terrace
    lawn courtyard court-yard stable stables scullery pantry office yard bathroom boudoir""".split()
)

SPANS_OF_TIME = frozenset(
    "minute hour day night week fortnight month twelvemonth year winter spring summer autumn".split()
)


def is_room(surface: str) -> bool:
    """Like "the drawing-room": within a house, named or not."""
    return surface.casefold().rsplit(" ", 1)[-1] in ROOMS
