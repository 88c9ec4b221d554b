"""Boggle: solver, board generators, and the rules of a timed round on a shared board."""
