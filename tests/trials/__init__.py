"""Tools that watch the whole product for minutes or hours; each makes a line of tests/EVIDENCE.md."""
