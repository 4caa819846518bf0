"""`python -m tests.trials.evidence.volume`: evidence of all hypotheses against honest players, over millions
of rounds.

Six players play the same deals, with the same wagers before the deal. First, each factor is compared with
that of the program's own functions. The output is, by player and hypothesis, the mean evidence after a single
round and at the end of a sitting, each with its standard error, and the number of sittings that ever reach
each bound, beside the guarantee. The same seed and number of rounds give the same figures. SIGTERM ends a run
with the figures of the finished batches; with `--sums FILE.npz` the next run continues it.
"""

from __future__ import annotations

import os


def main() -> None:
    # NumPy reads this at import; one process for each job is faster than threads
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from tests.trials.evidence.volume.run import main as run

    run()


if __name__ == "__main__":
    main()
