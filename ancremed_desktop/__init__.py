"""AncreMed Desktop: French clinical questions, answers anchored word for word."""

__version__ = "0.1.0"
