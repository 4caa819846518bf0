"""Programs inside the emulated machine: kernel module, init and the steps of the trial."""
