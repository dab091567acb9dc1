"""What is logged of a query, and reports made of it."""
