"""Reader of the ANSM thesaurus of drug interactions."""
