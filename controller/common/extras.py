"""Command that installs the packages of an extra of this program, as pyproject.toml lists the extras.

No index has this program, so the command must name the packages and never the program.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec

NAME = "crisscross-table"


def how_to_install(extra: str) -> str:
    """Return the command for the Python that runs this program: that of a checkout, a wheel or the Debian
    package, which has no pip of its own."""
    from importlib.metadata import PackageNotFoundError, requires  # slow, and only for a message

    try:
        wanted = [each.partition(";") for each in requires(NAME) or ()]
    except PackageNotFoundError:
        return "make lint"  # a checkout that was never installed; this installs it
    names = " ".join(f"'{name.strip()}'" for name, _, when in wanted if f"extra == '{extra}'" in when)
    pip = f"{sys.executable} -m pip" if find_spec("pip") else f"pip --python {sys.executable}"
    return f"{pip} install {names}"
