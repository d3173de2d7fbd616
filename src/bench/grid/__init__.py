"""Experiments: stories, prompts, pipelines, seeds and settings, each combination run once."""
