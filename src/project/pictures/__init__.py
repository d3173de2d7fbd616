"""Portraits and maps beside a story."""
