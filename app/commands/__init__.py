"""The subcommands of `wibble`. `app.commands.root` registers them."""
