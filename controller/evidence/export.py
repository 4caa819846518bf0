"""Export of the evidence for a regulator: the figures with every decision, and the proofs of the rounds from
which they follow.

The proofs have the cards of the ended rounds, as the records do. The folder is readable by its owner alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from controller.common.files.atomic_write import replace_text
from controller.record.audit.proof.prove import NoProof, proofs

FIGURES = "evidence.jsonl"
READ_ME = "README.txt"
PRIVATE = 0o700
WORDS = """Evidence of sittings at a Criss-Cross Table, for a regulator.

evidence.jsonl   one sitting a line: each hypothesis with its evidence and every decision
evidence.html    the same to read
round-N.tlog-proof   proof that the record of round N is in the tree that the table signed (C2SP tlog-proof);
                 (controller/record/seal/SEAL.md has the programs that verify it without the journal)

To repeat the figures from a copy of the journal: crisscross evidence JOURNAL --json
Rounds without a proof, because the table had not signed them yet or has no key: {missing}
"""


def export(folder: Path, journal: Path, found: Sequence[dict[str, Any]], html: str) -> Iterator[str]:
    """Write the files into a new or empty folder; yield a line for each round that has no proof. Raises
    FileExistsError if the folder has files, and OSError if it cannot be written."""
    folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(f"{folder}: is not empty; name a new folder")
    missing = []
    for number in sorted({number for each in found for number in each["round_numbers"]}):
        try:
            for at, (kind, proof) in enumerate(proofs(journal, number)):
                name = f"round-{number}{f'-{kind}-{at}' if at else ''}.tlog-proof"
                replace_text(folder / name, proof)
        except NoProof as error:
            missing.append(number)
            yield str(error)
    replace_text(folder / FIGURES, "".join(f"{json.dumps(each)}\n" for each in found))
    replace_text(folder / "evidence.html", html)
    replace_text(folder / READ_ME, WORDS.format(missing=", ".join(map(str, missing)) or "none"))
