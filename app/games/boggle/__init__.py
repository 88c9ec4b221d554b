"""Boggle: the solver, and the rules of a timed round on a board of letters."""
