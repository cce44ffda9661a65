"""What a process knows in addition to the state file. Threads can share it."""

from __future__ import annotations

from dataclasses import replace
from typing import Optional, Tuple

from .client import Failed, Leased, Rejected
from .stored_state import Received, Stored
from .verification import judge
from .verified_reply import Outcome


class Memory:
    def __init__(self) -> None:
        # Why the last request to the service changed nothing.
        self.failure: Optional[str] = None
        # Whether a certificate had already expired when it was fetched, which means the clock is wrong.
        self.is_clock_ahead = False
        # A rejection of the license with this key that could not be stored.
        self.unstored: Optional[Tuple[str, Rejected]] = None

    def note(self, outcome: Outcome, now: float) -> None:
        """`now` is in seconds since 1970."""
        self.failure = outcome.reason if isinstance(outcome, Failed) else None
        if not isinstance(outcome, (Failed, Leased)):
            self.unstored = None
        if isinstance(outcome, Received):
            status = judge(
                outcome.certificate,
                rejection=None,
                now=now,
                remembered_time=0,
                is_clock_ahead=outcome.key is not None,
            )
            self.is_clock_ahead = status.reason == "already_over"

    def clear(self) -> None:
        self.failure, self.is_clock_ahead, self.unstored = None, False, None

    def with_unstored(self, stored: Stored) -> Stored:
        if self.unstored is None or self.unstored[0] != stored.key:
            return stored
        _, rejected = self.unstored
        return replace(stored, rejection=rejected.rejection, rejected_at=rejected.rejected_at)
