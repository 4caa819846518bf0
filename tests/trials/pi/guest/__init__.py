"""Programs inside the emulated Pi: init, questions to the host, and the steps of the trial."""
