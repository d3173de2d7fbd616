"""Words that put somebody on stage or keep him off it: verbs, prepositions, and what people bring along.

Written by hand from Levin 1993 (class numbers beside the lists); no list was taken from a corpus.
"""

from __future__ import annotations

__all__ = ["BODY", "DISTANT", "FACING", "NEAR", "SPEAKING", "THINKING", "TOGETHER"]

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
