"""The rule verifier: alignment of an assertion with the stored sentences, without any model."""
