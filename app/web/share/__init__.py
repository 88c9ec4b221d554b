"""What a shared link shows elsewhere: preview pictures, QR codes, texts of results."""
