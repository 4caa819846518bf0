"""Independent verifier of an evidence export; it must never import controller."""
