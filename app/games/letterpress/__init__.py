"""Letterpress: 25 letters, two players, and territory that words win."""
