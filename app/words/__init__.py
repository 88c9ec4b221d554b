"""Floor 1: letters, lexicons and the structures that are searched."""
