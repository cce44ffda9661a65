"""A file that only one process at a time can create, so the others do not change the folder."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import time
from pathlib import Path
from typing import Callable, Iterator, Optional

from .files import remove_temporary
from .regular_file import read_regular_file

# A lock unchanged for this long was left by a killed process.
ABANDONED_AFTER = 2.0  # seconds; writes take milliseconds
INTERVAL = 0.005  # seconds between two attempts
TIMEOUT = 10.0  # seconds in which others may take the lock in turn


class FolderLock:
    def __init__(self, folder: Path) -> None:
        self._path = folder / "license.lock"

    @contextlib.contextmanager
    def hold(self, timeout: float = TIMEOUT) -> Iterator[Callable[[], None]]:
        """Yields a function that raises OSError, `EBUSY`, once the lock is lost.

        A process that was suspended may have lost it. Raises OSError, `EBUSY` if others hold the lock for longer than `timeout` seconds.
        """
        token = secrets.token_hex(16)
        self._acquire(token, timeout)
        # Left by a process that was killed while removing an abandoned lock. The next process tries again.
        with contextlib.suppress(OSError):
            remove_temporary(self._path)

        def check() -> None:
            if self._content() != token:
                raise OSError(errno.EBUSY, "the lock was lost")

        try:
            yield check
        finally:
            if self._content() == token:
                # A lock that cannot be deleted, such as on Windows while another process reads it, counts
                # as abandoned.
                with contextlib.suppress(OSError):
                    self._path.unlink()

    def _acquire(self, token: str, timeout: float) -> None:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        start = since = time.monotonic()
        holder = self._content()
        while not self._try_create(token):
            now, present = time.monotonic(), self._content()
            if present != holder:
                holder, since = present, now
            elif holder is not None and now - since > ABANDONED_AFTER:
                self._remove(holder)
            if now - start >= timeout:
                raise OSError(errno.EBUSY, "another process has the lock")
            time.sleep(INTERVAL)

    def _try_create(self, token: str) -> bool:
        try:
            handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return False
        with open(handle, "w", encoding="ascii") as stream:
            stream.write(token)
        return True

    def _remove(self, holder: str) -> None:
        """Removes the lock of a killed process, unless another process has taken it."""
        removed = self._path.with_name(f"{self._path.name}.{secrets.token_hex(16)}")
        # Another process may be faster.
        with contextlib.suppress(OSError):
            os.rename(self._path, removed)
            if _content_of(removed) != holder:
                os.link(removed, self._path)
        with contextlib.suppress(FileNotFoundError):
            removed.unlink()

    def _content(self) -> Optional[str]:
        return _content_of(self._path)


def _content_of(file: Path) -> Optional[str]:
    """None if the file is absent, unreadable or not a regular file."""
    try:
        data = read_regular_file(file)
    except OSError:
        return None
    return None if data is None else data.decode("ascii", "replace")
