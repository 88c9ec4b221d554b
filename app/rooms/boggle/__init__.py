"""Boggle: solve boards, generate them, study the generators."""
