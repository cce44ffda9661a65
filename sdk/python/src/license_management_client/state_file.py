"""Stores the state of the license in a file that no other machine accepts."""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
from pathlib import Path
from typing import Callable, Iterator, Optional, get_args

from .encoding import parse_json, to_integer
from .files import probe, remove_temporary, write_whole
from .folder_lock import TIMEOUT, FolderLock
from .regular_file import MAX_SIZE, read_regular_file
from .stored_state import Stored
from .verification import Rejection, Untrusted, hash_lines

VERSION = 1
# Larger than any state file, so an almost full disk is detected.
PROBE = b" " * 16_384


class StateFile:
    """The state of one product of one issuer, valid only on this machine.

    fingerprint: returns the fingerprint of this machine; called only to read or write a file
    """

    def __init__(
        self, folder: Path, issuer: str, product: str, fingerprint: Callable[[], str]
    ) -> None:
        self._identity = ("license-state:v1", issuer, product)
        name = hashlib.sha256("\n".join(self._identity).encode("ascii")).hexdigest()[:32]
        self._path = folder / f"license-{name}.json"
        self._fingerprint = fingerprint
        self._threads = threading.Lock()
        self._lock = FolderLock(folder)

    def read(self) -> Stored:
        """Raises Untrusted if the file is damaged or belongs to another machine; OSError if unreadable."""
        return self._parse(read_regular_file(self._path))

    def read_or_nothing(self) -> Stored:
        """The state; empty if the file is damaged or belongs to another machine. Raises OSError."""
        return self._parse_or_nothing(read_regular_file(self._path))

    def update(
        self, change: Callable[[Stored], Optional[Stored]], *, timeout: float = TIMEOUT
    ) -> None:
        """Replaces the state with the result of `change`, or leaves it unchanged if the result is None.

        timeout: seconds to wait for other processes

        Raises OSError.
        """
        # Without a change, nothing is written, so a read-only folder also works.
        if change(self._parse_or_nothing(read_regular_file(self._path))) is None:
            return
        machine = self._machine()
        with self._locked(timeout) as check:
            state = change(self._parse_or_nothing(read_regular_file(self._path)))
            if state is not None:
                write_whole(self._path, self._serialize(state, machine), check)

    def prove_writable(self) -> None:
        """Writes and deletes a file larger than any other file of this package. Raises OSError."""
        with self._locked():
            probe(self._path, PROBE)

    def delete(self) -> None:
        """Raises OSError."""
        if self._path.parent.exists():
            with self._locked():
                self._unlink()

    def delete_if(self, matches: Callable[[Stored], bool]) -> None:
        """Deletes the state if it matches. Raises OSError."""
        with self._locked():
            if matches(self._parse_or_nothing(read_regular_file(self._path))):
                self._unlink()

    @contextlib.contextmanager
    def _locked(self, timeout: float = TIMEOUT) -> Iterator[Callable[[], None]]:
        with self._threads, self._lock.hold(timeout) as check:
            # While this process holds the lock, every temporary file is from a killed process.
            remove_temporary(self._path)
            yield check

    def _unlink(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            self._path.unlink()

    def _machine(self) -> str:
        return hash_lines(*self._identity, self._fingerprint())

    def _serialize(self, state: Stored, machine: str) -> bytes:
        content = {
            "version": VERSION,
            "machine": machine,
            "key": state.key,
            "certificate": state.certificate,
            "installed": state.installed,
            "rejection": state.rejection,
            "rejectedAt": state.rejected_at,
            "rememberedTime": state.remembered_time,
        }
        return json.dumps(content).encode("ascii")

    def _parse_or_nothing(self, data: Optional[bytes]) -> Stored:
        try:
            return self._parse(data)
        except Untrusted:
            return Stored()

    def _parse(self, data: Optional[bytes]) -> Stored:
        if data is None:
            return Stored()
        damaged = Untrusted("damaged", "state_file")
        if len(data) > MAX_SIZE:
            raise damaged
        try:
            content = parse_json(data)
        except ValueError:
            raise damaged from None
        if not isinstance(content, dict) or to_integer(content.get("version")) != VERSION:
            raise damaged
        machine = content.get("machine")
        if not isinstance(machine, str):
            raise damaged
        if machine != self._machine():
            raise Untrusted("other_machine", "state_file")
        if not content.keys() >= {"key", "certificate", "rejection"}:
            raise damaged
        key, certificate, rejection = content["key"], content["certificate"], content["rejection"]
        # Older versions recorded neither installed certificates (they kept only the last to expire) nor
        # the time of a rejection.
        installed = content.get("installed", certificate)
        rejected_at = to_integer(content.get("rejectedAt", 0))
        remembered_time = to_integer(content.get("rememberedTime"))
        if (
            not isinstance(key, (str, type(None)))
            or not isinstance(certificate, (str, type(None)))
            or not isinstance(installed, (str, type(None)))
            or rejection not in (None, *get_args(Rejection))
            or rejected_at is None
            or remembered_time is None
        ):
            raise damaged
        return Stored(key, certificate, installed, rejection, rejected_at, remembered_time)
