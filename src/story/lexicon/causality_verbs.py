"""Verbs that ask for a reason in what the other one did: one praises or scolds somebody for something.

Those of which speakers go on with "because" and the object ("implicit causality", NP2 verbs): Garvey and
Caramazza 1974, "Implicit causality in verbs"; the agreement in sign with Ferstl, Garnham and Manouilidou
2011, "Implicit causality bias in English: a corpus of 300 verbs" (Behavior Research Methods 43). Kept are
verbs of judging and answering a deed; verbs of feeling that lasts (admire, envy) are left out, since what
stirs them need be no event. A plain list of words, free of rights.
"""

from __future__ import annotations

__all__ = ["ANSWERS_A_DEED"]

ANSWERS_A_DEED = frozenset(
    """accuse applaud banish blame censure chide commend compliment condemn congratulate correct criticise
    criticize denounce dismiss excuse forgive pardon penalise penalize praise punish rebuke reprimand
    reproach reprove reward scold thank""".split()
)
