"""Pure functions on French text."""
