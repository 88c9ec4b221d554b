"""Moderation on the site: the pages at /admin and the API for operators."""
