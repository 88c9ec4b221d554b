"""The pages people see and the fragments that HTMX swaps in them."""
