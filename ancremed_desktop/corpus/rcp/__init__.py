"""Reader of summaries of product characteristics."""
