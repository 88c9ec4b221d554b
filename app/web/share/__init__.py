"""Sharing: preview pictures of links, QR codes, and texts of results."""
