"""One target under atheris: `python -m tests.trials.fuzz.guided TARGET [options of libFuzzer]`.

Only this module imports atheris, and before any other module, because atheris instruments code during import.
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["controller", "drivers"], enable_loader_override=False):
    from tests.trials.fuzz.targets import TARGETS


def main() -> None:
    name, *options = sys.argv[1:]
    atheris.Setup([sys.argv[0], *options], TARGETS[name].trial)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
