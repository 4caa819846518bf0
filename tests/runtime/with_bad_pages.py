"""A daemon whose page process is that of `bad_lines.py` and is restarted without a delay.

python -m tests.runtime.with_bad_pages TABLE_FILE
"""

from __future__ import annotations

import sys

from controller.cli import main
from controller.pages.page_process import spawn, supervisor

if __name__ == "__main__":
    spawn.PAGES_MODULE = "tests.runtime.bad_lines"
    supervisor.RESTART_DELAY_S = supervisor.MAX_RESTART_DELAY_S = 0.0
    raise SystemExit(main(["run", "--mock", "--config", sys.argv[1]]))
