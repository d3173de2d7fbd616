"""Frames of plain English: what a sentence says of people in the words that most writers use."""
