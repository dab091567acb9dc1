"""Reader of the user's own documents."""
