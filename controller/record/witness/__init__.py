"""The witness: another machine that cosigns what it has seen of a table's tree, and the feed that asks it."""
