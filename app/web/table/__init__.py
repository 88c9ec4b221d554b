"""A game under way or finished: its page, moves, seats, remarks, replay, analysis and record."""
