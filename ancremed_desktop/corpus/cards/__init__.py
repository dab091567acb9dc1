"""Reader of sourced cards: our starter corpus and seed 2's ``fiches``."""
