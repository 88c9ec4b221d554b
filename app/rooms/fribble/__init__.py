"""Fribble: play, get advice, study games."""
