"""The bank of clinical formulas and its evaluator."""
