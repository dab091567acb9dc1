"""Options, and where files live."""
