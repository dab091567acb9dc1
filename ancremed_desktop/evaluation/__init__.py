"""Questions and challenge cases replayed and scored."""
