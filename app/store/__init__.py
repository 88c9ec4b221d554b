"""Floor 3: players, games and moves in a database; a move is answered only after it is committed."""
