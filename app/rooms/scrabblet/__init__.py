"""Scrabblet: play a hand, or list its words."""
