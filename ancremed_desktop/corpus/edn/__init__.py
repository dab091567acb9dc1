"""Readers of French medical exam material."""
