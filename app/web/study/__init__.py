"""Study boards: positions, variations and engine lines of any game."""
