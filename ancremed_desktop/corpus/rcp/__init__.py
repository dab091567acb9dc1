"""Reader of summaries of product characteristics (RCP) and patient leaflets (notices)."""
