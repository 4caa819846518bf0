"""Whether two checkouts that play the same seeds tell the same records but for times."""
