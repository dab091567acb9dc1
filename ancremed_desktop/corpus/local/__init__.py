"""Reader of the user's own documents: PDF, DOCX, Markdown, HTML and plain text."""
