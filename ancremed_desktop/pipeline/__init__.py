"""From a question to a verified answer, one stage a file."""
