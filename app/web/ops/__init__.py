"""What an operator sees and what runs behind the server: health, metrics, request log, retention."""
