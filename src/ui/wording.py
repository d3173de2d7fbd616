"""What the page says in its own words: what a pipeline uses, what a metric means."""

from __future__ import annotations

__all__ = ["DEFINITIONS", "GROUPS", "USES"]

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
    "Repeated 4-grams": "Share of the runs of four words that the draft had used before.",
    "4-grams copied from the context": "Share of the runs of four words that stand in what it was given.",
    "Source diversity": "How evenly its context is spread over kinds of source and chapters (Simpson).",
    "Response time, seconds": "Wall time of all stages; what is shared is charged to each in full.",
    "Passages and notes found": "What search and graph offered, taken or left out.",
    "Context tokens": "Tokens of what it was given, in the model's own count.",
    "Prompt tokens, all calls": "Tokens sent to the model, a revision included.",
    "Completion tokens, all calls": "Tokens the model wrote, a dropped revision included.",
}
