"""Marks in a run under Valgrind's callgrind: only the instructions between them are counted.

A mark is a client request (valgrind/valgrind.h): instructions that have no effect on a processor and that
Valgrind recognises. Without Valgrind a mark does nothing.
"""

from __future__ import annotations

import ctypes
import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager

MACHINE = "x86_64"
_REQUEST = bytes.fromhex("4889f8 31d2 48c1c703 48c1c70d 48c1c73d 48c1c733 4887db 4889d0 c3")
"""Machine code of the request: mov rax,rdi; xor edx,edx; rol rdi by 3, 13, 61, 51; xchg rbx,rbx; mov rax,rdx;
ret."""
_TOOL = ord("C") << 24 | ord("T") << 16
_ZERO, _DUMP_AS, _START, _STOP = 1, 3, 4, 5


class Marks:
    """Switch of this process's counter, by client requests in machine code. Raises OSError on a processor
    other than x86-64."""

    def __init__(self) -> None:
        if os.uname().machine != MACHINE:
            raise OSError(f"marks are written for {MACHINE}, and this is {os.uname().machine}")
        self._page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        self._page.write(_REQUEST)
        code = ctypes.addressof(ctypes.c_char.from_buffer(self._page))
        self._call = ctypes.CFUNCTYPE(ctypes.c_ulong, ctypes.c_void_p)(code)

    def _ask(self, request: int, argument: int = 0) -> None:
        arguments = (ctypes.c_ulong * 6)(_TOOL + request, argument)
        self._call(ctypes.addressof(arguments))

    @contextmanager
    def counted(self, name: str) -> Iterator[None]:
        """Count the instructions that are executed in the block; callgrind writes the count to a separate
        file with this name."""
        words = ctypes.create_string_buffer(name.encode())
        self._ask(_START)
        self._ask(_ZERO)
        yield
        self._ask(_DUMP_AS, ctypes.addressof(words))
        self._ask(_STOP)
