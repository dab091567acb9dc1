"""Files in, documents and passages out."""
