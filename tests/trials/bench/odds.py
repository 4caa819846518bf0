"""Cost of counting the odds of a pack: seconds and memory of a process that does nothing else."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping


def measure(holes: int = 169) -> Mapping[str, float]:
    """Count the odds for some of the 169 kinds of hole. Returns `wall_s`, `processor_s` over all processors,
    and `peak_mib`."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "tests.trials.bench.odds", str(holes)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def main() -> int:
    from controller.rules.odds.cards import kinds
    from controller.rules.odds.pack import odds_of
    from controller.rules.odds.solve import solve
    from controller.rules.packs.loader import find_pack, load_pack

    began = time.perf_counter()
    solve(odds_of(load_pack(find_pack("pennsylvania"))), everything=kinds()[: int(sys.argv[1])])
    used = resource.getrusage(resource.RUSAGE_SELF)
    figures = {
        "wall_s": round(time.perf_counter() - began, 1),
        "processor_s": round(used.ru_utime + used.ru_stime, 1),
        "peak_mib": round(used.ru_maxrss / 1024),
    }
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
