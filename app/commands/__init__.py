"""The groups of the `wibble` command: one module each, mounted by `app.cli`."""
