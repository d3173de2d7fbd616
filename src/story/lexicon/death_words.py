"""Words that tell a death, and words beside which they do not: data for ``deaths``.

Numbers are how surely a word says so, 0 to 1.
"""

from __future__ import annotations

__all__ = [
    "AFTER",
    "ALMOST",
    "BODY",
    "BURIED_IN",
    "CARRYING_OFF",
    "DEAD_AS",
    "DONE_TO_BODIES",
    "DYING",
    "ENDING",
    "END_NOUNS",
    "FATAL",
    "FATAL_WOUNDS",
    "FEELINGS",
    "FIGURES",
    "GRAVES",
    "KILLING",
    "LEFT",
    "LIVING",
    "NAMED",
    "NOT_QUITE",
    "ONLY_LIKE",
    "OWN",
    "SEEN",
    "SO",
    "TO_DEATH",
    "VOUCHED",
]

DYING = {"die": 0.9, "perish": 0.9, "expire": 0.85, "drown": 0.8}
KILLING = {
    "kill": 0.9, "murder": 0.9, "slay": 0.9, "assassinate": 0.9, "behead": 0.9, "guillotine": 0.9,
    "execute": 0.8, "strangle": 0.75, "slaughter": 0.75, "drown": 0.8, "hang": 0.75, "bury": 0.85,
    "inter": 0.85, "cremate": 0.9, "electrocute": 0.8, "decapitate": 0.9, "poison": 0.55, "shoot": 0.5,
    "stab": 0.5, "crush": 0.4, "burn": 0.4,
}  # fmt: skip
ENDING = frozenset("kill murder slay assassinate drown hang shoot poison".split())  # done to oneself
TO_DEATH = frozenset(
    """bleed freeze burn starve stab beat choke crush trample shoot stone fall batter club hack strangle
    put do torture""".split()
)
DEAD_AS = frozenset(
    """be lie fall drop find leave shoot strike pronounce declare sink stretch take pick bring carry
    discover""".split()
)
END_NOUNS = {
    ("lose", "life"): 0.85, ("take", "life"): 0.85, ("breathe", "last"): 0.9, ("draw", "breath"): 0.85,
    ("breathe", "breath"): 0.85, ("meet", "death"): 0.8, ("meet", "end"): 0.75, ("give", "ghost"): 0.85,
    ("commit", "suicide"): 0.9,
}  # fmt: skip
LEFT = {"widow": 0.75, "corpse": 0.8, "funeral": 0.8, "burial": 0.8, "murder": 0.6, "murderer": 0.7,
         "killer": 0.7, "death": 0.5, "tomb": 0.75, "tombstone": 0.8, "grave": 0.7, "gravestone": 0.8,
         "coffin": 0.8, "remains": 0.6, "ashes": 0.5, "assassin": 0.6, "suicide": 0.6}  # fmt: skip
AFTER = frozenset("after since following".split())
NOT_QUITE = frozenset(
    """half almost nearly well-nigh nigh all good well like as if practically supposedly seemingly apparently
    enough more most very too socially morally civilly politically legally""".split()
)
ONLY_LIKE = frozenset("to with tired drunk asleep against set sure serious broke beat in for".split())
FIGURES = frozenset(
    """laughter laughing shame curiosity boredom ennui envy fright embarrassment mortification love thirst
    impatience joy""".split()
)
ALMOST = frozenset("almost nearly most nigh well-nigh practically virtually".split())
NAMED = {"late": 0.75}
BODY = frozenset("body corpse".split())
DONE_TO_BODIES = frozenset(
    "carry find bury bring recover discover identify burn lower drag inter cremate give yield wash".split()
)
OWN = frozenset("his her their its own my".split())
SEEN = frozenset("see find know learn discover realise realize notice remember perceive recognise".split())
SO = frozenset("be happen chance appear".split())  # "that was how he died"
VOUCHED = frozenset("fact news discovery misfortune circumstance".split())
LIVING = frozenset("alive".split())
GRAVES = frozenset(
    """churchyard graveyard cemetery grave vault abbey tomb crypt church chapel ground earth plot
    garden""".split()
)
# where only the dead lie
BURIED_IN = frozenset(
    """churchyard graveyard cemetery grave tomb vault crypt mausoleum turf sod kirkyard burying-ground
    burial-ground coffin shroud""".split()
)
FATAL = frozenset("neck skull throat".split())
FATAL_WOUNDS = frozenset("broken cut fractured crushed slit cloven split severed".split())
# illnesses and waters that take somebody
CARRYING_OFF = frozenset(
    """fever consumption cholera smallpox small-pox plague typhus typhoid pneumonia apoplexy stroke influenza
    diphtheria scarlatina pleurisy cancer dropsy measles sea river flood avalanche sickness illness
    pestilence malaria dysentery ague croup""".split()
)
FEELINGS = frozenset("kindness tears grief sorrow noise din laughter debt wine remorse joy".split())
