"""A lexicon: which words there are, and the arrays that engines search."""
