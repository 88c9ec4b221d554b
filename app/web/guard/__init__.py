"""Guest sessions, security headers, same-origin checks, rate and connection limits, problem documents."""
