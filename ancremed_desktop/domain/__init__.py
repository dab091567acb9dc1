"""Frozen nouns of the field; standard library only."""
