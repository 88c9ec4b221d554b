"""What guards the site: guest sessions, writes from elsewhere, headers, limits, problem documents."""
