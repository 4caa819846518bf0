"""CRC-16 with the reversed polynomial 8408, given in C in FEIG's manuals and used by ISO/IEC 15693-3.

The same register in two forms: FEIG's frames contain it unchanged, ISO frames contain its complement.
"""

from __future__ import annotations


def crc16_x25(data: bytes, final: int = 0) -> bytes:
    """Return the CRC of the bytes, lowest byte first. `final`: 0xFFFF complements it (15693-3, annex C)."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0x8408 if crc & 1 else crc >> 1
    return (crc ^ final).to_bytes(2, "little")
