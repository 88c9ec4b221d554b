"""Operations: health checks, metrics, request log, load monitor, memory, retention."""
