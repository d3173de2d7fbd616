"""Eight named emotions and their words, two moods that only a tone shows, the valence of a sentence.

Valence (-1 to 1) and arousal (0 to 1) place each emotion on the circumplex of Russell (1980); the places and
the word lists are made by hand for this table, from no other lexicon, and have its licence. A sentence's tone
is VADER's compound score (Hutto and Gilbert, 2014; MIT), which is negation-aware.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

__all__ = ["CONTRARY", "EMOTIONS", "EMOTION_WORDS", "TONE_MOODS", "Emotion", "mood_of", "tone", "valence_of"]


@dataclass(frozen=True, slots=True)
class Emotion:
    name: str
    valence: float
    arousal: float


EMOTIONS: MappingProxyType[str, Emotion] = MappingProxyType(
    {
        emotion.name: emotion
        for emotion in (
            Emotion("joy", 0.8, 0.6),
            Emotion("hope", 0.6, 0.5),
            Emotion("affection", 0.6, 0.4),
            Emotion("calm", 0.4, 0.1),
            Emotion("sadness", -0.6, 0.3),
            Emotion("fear", -0.6, 0.8),
            Emotion("anger", -0.7, 0.9),
            Emotion("despair", -0.8, 0.6),
            Emotion("good spirits", 0.4, 0.4),
            Emotion("distress", -0.4, 0.5),
        )
    }
)

# what only the tone of a sentence shows: enough for a curve, too little to tell a writer
TONE_MOODS = frozenset({"good spirits", "distress"})

# what a denied feeling leaves: "not happy" is sad, "not afraid" is calm; the rest leaves nothing
CONTRARY: MappingProxyType[str, str] = MappingProxyType({"joy": "sadness", "hope": "despair", "fear": "calm"})

_WORDS = {
    "joy": """happy happily joy joyful joyfully joyous delight delighted delightedly glad gladly
        gladness merry merrily cheerful cheerfully cheerfulness cheered elated elation
        ecstatic ecstasy rejoice rejoiced jubilant triumphant triumphantly pleased
        thrilled overjoyed exultant exultation exult bliss blissful blissfully gleeful
        gleefully glee laugh laughed laughing radiant amused rapture rapturous""",
    "hope": """hope hopeful hopefully hoped optimistic optimism confident confidently encouraged
        expectant expectantly eager eagerly eagerness anticipation inspired reassured
        heartened sanguine""",
    "affection": """love loving lovingly affection affectionate affectionately tender tenderly tenderness
        fond fondly fondness adoring adoringly devoted devotion warmly gratitude
        grateful gratefully thankful thankfully sympathy sympathetic compassion
        compassionate admiring admiration""",
    "calm": """calm calmly calmness serene serenely serenity peaceful peacefully tranquil tranquillity
        composed composure content contented contentedly contentment relieved relief
        relaxed quieted soothed""",
    "sadness": """sad sadly sadness sorrow sorrowful sorrowfully grief grieved grieving grieve mourn
        mourned mourning melancholy gloomy gloomily gloom dejected dejectedly dejection
        downcast mournful mournfully weep wept weeping sob sobbed sobbing lonely
        loneliness unhappy unhappily unhappiness regret regretful regretfully
        disappointed disappointment ashamed shame guilt guilty remorse homesick
        heavyhearted tearful tearfully disheartened""",
    "fear": """fear feared fearful fearfully afraid frightened terrified terror dread dreaded alarmed
        alarm anxious anxiously anxiety nervous nervously nervousness panic panicked
        scared horrified horror uneasy uneasily uneasiness worried worry apprehensive
        apprehension timid timidly trembling trembled tremble shudder shuddered
        shuddering startled petrified""",
    "anger": """anger angry angrily furious furiously fury rage raged raging enraged irate indignant
        indignantly indignation resentful resentfully resentment resent resented bitter
        bitterly bitterness wrath wrathful annoyed annoyance irritated irritation
        irritable exasperated exasperation vexed vexation outraged hatred contempt
        contemptuous contemptuously disgusted disgust jealous jealously jealousy
        offended scornful scornfully incensed""",
    "despair": """despair despaired despairing despairingly desperate desperately desperation hopeless
        hopelessly hopelessness anguish anguished agony agonized wretched wretchedly
        wretchedness miserable miserably misery heartbroken broken-hearted inconsolable
        forlorn devastated crushed shattered doomed despondent despondency tormented
        torment""",
}

EMOTION_WORDS: MappingProxyType[str, str] = MappingProxyType(
    {word: name for name, words in _WORDS.items() for word in words.split()}
)


@lru_cache(maxsize=1)
def _vader() -> Any:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    return SentimentIntensityAnalyzer()


def tone(sentence: str) -> float:
    """VADER's compound score of a sentence, -1 to 1."""
    return float(_vader().polarity_scores(sentence)["compound"])


def valence_of(emotion: str, sentence_tone: float) -> float:
    """The emotion's own valence moved a quarter of the way to the sentence's tone; -1 to 1, three digits.

    The sign stays that of the emotion: the word is surer than the tone of all that stands around it.
    """
    own = EMOTIONS[emotion].valence
    mixed = 0.75 * own + 0.25 * sentence_tone
    return round(max(mixed, 0.1) if own > 0 else min(mixed, -0.1), 3)


def mood_of(sentence_tone: float) -> str:
    """The mood that a tone alone shows; empty under 0.4 either way, where VADER's sign is little worth."""
    if abs(sentence_tone) < 0.4:
        return ""
    return "good spirits" if sentence_tone > 0 else "distress"
