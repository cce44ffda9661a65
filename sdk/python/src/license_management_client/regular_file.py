"""Reads a file of the folder, and never waits for anything except a regular file."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Optional

MAX_SIZE = 65_536
O_BINARY = getattr(os, "O_BINARY", 0)  # of Windows


def read_regular_file(path: Path) -> Optional[bytes]:
    """At most one byte more than MAX_SIZE; None if the file does not exist.

    Raises OSError, `EISDIR` for anything except a regular file.
    """
    try:
        # Never waits for a pipe.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | O_BINARY)
    except FileNotFoundError:
        return None
    with open(handle, "rb") as stream:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EISDIR, "not a file")
        return stream.read(MAX_SIZE + 1)
