"""Tools that test or measure the complete product for minutes or hours (tests/EVIDENCE.md)."""
