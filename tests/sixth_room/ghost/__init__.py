"""Ghost: add letters, but do not complete a word."""
