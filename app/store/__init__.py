"""Storage layer: players, games and moves in a database. A move is committed before it is answered."""
