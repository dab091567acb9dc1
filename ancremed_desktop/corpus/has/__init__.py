"""Reader of HAS guidelines in PDF."""
