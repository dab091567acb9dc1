"""Reader of code tables: ATC codes of drugs, CIM-10."""
