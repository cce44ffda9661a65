"""Keeps what the program knows of its license in a file, which no other machine accepts."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import threading
from pathlib import Path
from typing import Callable, Optional, get_args

from .encoding import parse_json, to_integer
from .files import write_whole
from .stored_state import Stored
from .verification import Rejection, Untrusted, hash_lines

VERSION = 1
MAX_SIZE = 65_536


class StateFile:
    """The state of one product of one issuer, for this machine alone.

    fingerprint: returns the fingerprint of this machine; called only to read or write a file
    """

    def __init__(
        self, folder: Path, issuer: str, product: str, fingerprint: Callable[[], str]
    ) -> None:
        self._identity = ("license-state:v1", issuer, product)
        name = hashlib.sha256("\n".join(self._identity).encode("ascii")).hexdigest()[:32]
        self._path = folder / f"license-{name}.json"
        self._fingerprint = fingerprint
        self._lock = threading.Lock()

    def read(self) -> Stored:
        """Raises Untrusted for a damaged file or that of another machine; OSError if unreadable."""
        return self._parse(self._read_bytes())

    def read_or_nothing(self) -> Stored:
        """The state; an empty one if the file is damaged or of another machine. Raises OSError."""
        return self._parse_or_nothing(self._read_bytes())

    def update(self, change: Callable[[Stored], Optional[Stored]]) -> None:
        """Replaces the state by the result of `change`, or leaves it if that is None.

        If another process replaces it meanwhile, `change` is called again. Raises OSError.
        """
        with self._lock:
            is_done = False
            while not is_done:
                before = self._read_bytes()
                state = change(self._parse_or_nothing(before))
                is_done = state is None or self._replace(before, self._serialize(state))

    def delete(self) -> None:
        """Raises OSError."""
        with self._lock, contextlib.suppress(FileNotFoundError):
            self._path.unlink()

    def delete_if(self, matches: Callable[[Stored], bool]) -> None:
        """Deletes the state if it matches. Raises OSError."""
        with self._lock, contextlib.suppress(FileNotFoundError):
            if matches(self._parse_or_nothing(self._read_bytes())):
                self._path.unlink()

    def _read_bytes(self) -> Optional[bytes]:
        try:
            with open(self._path, "rb") as stream:
                return stream.read(MAX_SIZE + 1)
        except FileNotFoundError:
            return None

    def _replace(self, before: Optional[bytes], data: bytes) -> bool:
        is_unchanged = False

        def place(temporary: str, file: Path) -> None:
            nonlocal is_unchanged
            is_unchanged = self._read_bytes() == before
            if is_unchanged:
                os.replace(temporary, file)

        write_whole(self._path, data, place)
        return is_unchanged

    def _machine(self) -> str:
        return hash_lines(*self._identity, self._fingerprint())

    def _serialize(self, state: Stored) -> bytes:
        content = {
            "version": VERSION,
            "machine": self._machine(),
            "key": state.key,
            "certificate": state.certificate,
            "installed": state.installed,
            "rejection": state.rejection,
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
        # Older versions did not note what was installed, and kept the certificate that ends last.
        installed = content.get("installed", certificate)
        remembered_time = to_integer(content.get("rememberedTime"))
        if (
            not isinstance(key, (str, type(None)))
            or not isinstance(certificate, (str, type(None)))
            or not isinstance(installed, (str, type(None)))
            or rejection not in (None, *get_args(Rejection))
            or remembered_time is None
        ):
            raise damaged
        return Stored(key, certificate, installed, rejection, remembered_time)
