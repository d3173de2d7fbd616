"""What the page says in its own words: what a pipeline uses, what a metric means."""

from __future__ import annotations

USES = {
    "standard": "Passages found by hybrid search.",
    "graph": "States, relations and paths of the story graph.",
    "fused": "Passages under the graph's constraints; revised once if the critic objects.",
}

GROUPS = {"quality": "Quality", "cost": "Cost"}

# By the label that report.metric_rows gives.
DEFINITIONS = {
    "Consistency": "1 less a tenth for each finding of the critic, never below 0.",
    "Consistency of the first draft": "The same before any revision: all pipelines on equal terms.",
    "Violations per 10,000 words": "Findings set against the length of the draft.",
    "Coverage: facts checked": "Share of the draft's facts that could be set beside something told earlier.",
    "Characters of the prompt present": "Share of those whom the prompt names that the draft names too.",
    "Coherence with the scene before": "Mean cosine of the draft's sentences with the scene before it.",
    "Coherence sentence to sentence": "Mean cosine of each sentence with the next.",
    "Coherence by nouns in common": "How closely its sentences are tied by the nouns that they share.",
    "Emotional moves as the story makes": "How usual its characters' changes of feeling are in the story.",
    "Claims that the context tells too": "Share of its lasting claims that what it was given tells as well.",
    "Repeated 4-grams": "Share of the runs of four words that the draft had used before.",
    "Longest repeated run, words": "Words in the longest run that stands in the draft twice.",
    "Different pairs of words": "Share of its word pairs that are new; it falls with length.",
    "4-grams copied from the context": "Share of the runs of four words that stand in what it was given.",
    "Source diversity": "How evenly its context is spread over kinds of source and chapters (Simpson).",
    "Diversity about whom was asked for": "The same over the sources that name those of the prompt.",
    "Response time, seconds": "Wall time of all stages; what is shared is charged to each in full.",
    "Passages and notes found": "What search and graph offered, taken or left out.",
    "Context tokens": "Tokens of what it was given, in the model's own count.",
    "Prompt tokens, all calls": "Tokens sent to the model, a revision included.",
    "Completion tokens, all calls": "Tokens the model wrote, a dropped revision included.",
}
