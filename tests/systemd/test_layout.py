"""Scripts and systemd-tmpfiles run as root, but change no folder through a path that another user
controls.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.systemd.layout import SYSTEMD, Layout, needs_root

pytestmark = pytest.mark.serial


@pytest.fixture
def layout() -> Iterator[Layout]:
    """Yield an installation in a folder outside `tmp_path`, which only root may enter."""
    root = Path(tempfile.mkdtemp(prefix="crisscross-layout-"))
    root.chmod(0o755)
    yield Layout(root)
    shutil.rmtree(root)


def test_no_package_script_changes_a_folder_of_the_table_s_user_as_root() -> None:
    """The table's user owns the parent folder and could put a link into it between root's check and root's
    change."""
    acts = re.compile(
        r"\b(install|mkdir|chown|chmod|chgrp|cp|mv|ln|tee)\b[^\n]*(/var/lib|\$folder|\$journal)"
    )
    for script in ("postinst", "prerm", "postrm"):
        assert not acts.search((SYSTEMD / "deb" / script).read_text(encoding="utf-8"))
    for unit in SYSTEMD.glob("*.service"):
        assert not re.search(r"(?m)^Exec\w+=[@:-]*[+!]", unit.read_text(encoding="utf-8")), (
            "no command as root"
        )


@needs_root
def test_a_link_in_place_of_the_folder_of_copies_changes_no_other_folder(layout: Layout) -> None:
    victim = layout.root / "victim"
    victim.mkdir(mode=0o755)
    layout.tmpfiles()
    uid, _ = layout.user("crisscross")
    copies = layout.root / "var/lib/crisscross/before-upgrade"
    assert (copies.stat().st_uid, copies.stat().st_mode & 0o777) == (uid, 0o700)
    copies.rmdir()
    copies.symlink_to(victim)
    os.lchown(copies, uid, uid)
    layout.tmpfiles("--prefix=/var/lib/crisscross/before-upgrade", check=False)
    assert (victim.stat().st_uid, victim.stat().st_mode & 0o777) == (0, 0o755)
