"""Refreshes a license as often as its certificate requires."""

from __future__ import annotations

import logging
import threading
from datetime import datetime
from typing import Callable, NamedTuple, Optional

from .status import Status

# Seconds between checks of the clock, because a timer alone does not count while a laptop sleeps.
TICK = 60
# Seconds between two requests.
MAX_INTERVAL = 86_400
MIN_INTERVAL = 60
# The first and the longest pause after failed requests; it doubles each time.
FIRST_RETRY = 60
MAX_RETRY = 3600
FAILURES = frozenset(
    (
        "no_response",
        "untrusted_server",
        "timeout",
        "rate_limited",
        "server_error",
        "not_the_service",
        "unknown_key",
        "no_certificate",
        "bad_certificate",
        "unproved",
        "request_rejected",
    )
)


class Contact(NamedTuple):
    """The last request.

    at: seconds since 1970
    failures: failed requests since the last success
    """

    at: float
    failures: int


def next_contact(contact: Contact, valid_until: Optional[datetime]) -> float:
    """When the next request is due, in seconds since 1970.

    After a third of the certificate's remaining time, but at least daily.

    valid_until: when the current certificate expires
    """
    if contact.failures:
        return contact.at + min(MAX_RETRY, FIRST_RETRY * 2.0 ** min(contact.failures - 1, 10))
    interval: float = MAX_INTERVAL
    if valid_until is not None:
        interval = min(MAX_INTERVAL, (valid_until.timestamp() - contact.at) / 3)
    return contact.at + max(MIN_INTERVAL, interval)


class KeepFresh:
    """Sends a request immediately, and then whenever one is due, on a thread that ends with the program.

    now: the clock, in seconds since 1970
    refresh: refreshes the license or its lease; never raises
    on_change: exceptions it raises are logged; the license is still refreshed
    """

    def __init__(
        self,
        now: Callable[[], float],
        status: Callable[[], Status],
        refresh: Callable[[], Status],
        on_change: Optional[Callable[[Status], None]],
    ) -> None:
        self._now = now
        self._status = status
        self._refresh = refresh
        self._on_change = on_change
        self._contact: Optional[Contact] = None
        self._state: Optional[str] = None
        self._is_stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._is_stopped.set()

    def check(self) -> None:
        """Sends a request if one is due."""
        if not self._is_due():
            return
        status = self._refresh()
        earlier = self._contact.failures if self._contact else 0
        has_failed = status.reason in FAILURES
        self._contact = Contact(self._now(), earlier + 1 if has_failed else 0)
        if self._is_stopped.is_set() or status.state == self._state:
            return
        self._state = status.state
        if self._on_change is not None:
            try:
                self._on_change(status)
            except Exception:
                logging.getLogger(__name__).exception("on_change failed")

    def _is_due(self) -> bool:
        if self._contact is None:
            return True
        now = self._now()
        # Setting the clock back does not delay a request.
        is_set_back = now < self._contact.at
        return is_set_back or now >= next_contact(self._contact, self._status().valid_until)

    def _run(self) -> None:
        while True:
            self.check()
            if self._is_stopped.wait(TICK):
                return
