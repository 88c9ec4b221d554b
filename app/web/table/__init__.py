"""Tables: the page and API of a game, with its moves, seats, remarks, replay, analysis and record."""
