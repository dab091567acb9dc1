"""Reader of the BDPM dumps (public drug database)."""
