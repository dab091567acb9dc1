"""Passages in and out of SQLite; the only place that knows apsw."""
