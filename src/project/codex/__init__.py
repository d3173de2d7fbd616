"""The codex of a project, written by its author."""
