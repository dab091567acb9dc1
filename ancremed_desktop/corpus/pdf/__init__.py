"""Reads a PDF into pages of text in blocks; shared by the corpora made of PDF files."""
