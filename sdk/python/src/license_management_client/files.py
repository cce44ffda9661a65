"""Writes files so that they are either complete or absent."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Callable


def write_whole(file: Path, data: bytes, check: Callable[[], None]) -> None:
    """Writes a temporary file with mode 0600 and renames it after `check`.

    A failed write keeps the old file and leaves no temporary file. Raises OSError.
    """
    temporary = _write_temporary(file, data)
    try:
        check()
        os.replace(temporary, file)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
    _sync_folder(file.parent)


def probe(file: Path, data: bytes) -> None:
    """Writes a temporary file, and deletes it. Raises OSError."""
    os.unlink(_write_temporary(file, data))


def remove_temporary(file: Path) -> None:
    """Removes the temporary files left for a file. Raises OSError."""
    for other in file.parent.iterdir():
        if other.name.startswith(f"{file.name}."):
            with contextlib.suppress(FileNotFoundError):
                other.unlink()


def _write_temporary(file: Path, data: bytes) -> str:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=f"{file.name}.", dir=file.parent)
    try:
        with open(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(handle)
    except BaseException:
        os.unlink(temporary)
        raise
    return temporary


def _sync_folder(folder: Path) -> None:
    # Windows cannot open a folder, and some file systems cannot sync one.
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
