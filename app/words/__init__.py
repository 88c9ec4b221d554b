"""Letters, lexicons, and the data structures for searching them."""
