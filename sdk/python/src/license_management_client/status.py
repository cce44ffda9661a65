"""What a program learns about its license. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import List, Literal, Optional

from .timestamps import parse_day

State = Literal[
    "valid",
    "none",
    "damaged",
    "other_product",
    "other_machine",
    "revoked",
    "expired",
    "suspended",
    "lease_ended",
    "clock",
    "ended",
    "update_not_covered",
    "unreadable",
]


@dataclass(frozen=True)
class Terms:
    """The terms of the license, from its certificate. Times are in UTC.

    expires_at: when the license expires; None if it is perpetual
    updates_until: the license covers builds released by then; None if it covers all builds
    licensee: the name of your vendor's customer
    plan: the name of the plan
    """

    expires_at: Optional[datetime] = None
    perpetual: bool = False
    updates_until: Optional[datetime] = None
    licensee: Optional[str] = None
    plan: Optional[str] = None

    def covers(self, released_at: datetime) -> bool:
        """Whether the license includes a build of this day, regardless of today's date."""
        return self.updates_until is None or released_at <= self.updates_until


NO_TERMS = Terms()


@dataclass(frozen=True)
class Status(Terms):
    """Whether the program is licensed, and the terms of its license.

    state: `valid`, or why not
    valid_until: when the certificate or its license expires, whichever comes first, in UTC; if `ended` or `expired`, when that happened; otherwise None
    services: the services of the license; empty unless `valid`
    reason: a stable code for the cause of the state, or for why the last refresh changed nothing
    entitlements: the entitlements of the license; empty unless `valid`

    If the certificate cannot be used here, the terms are the defaults of `Terms()`.
    """

    state: State = "none"
    valid_until: Optional[datetime] = None
    services: List[str] = field(default_factory=list)
    reason: Optional[str] = None
    entitlements: List[str] = field(default_factory=list)

    @property
    def is_valid(self) -> bool:
        """Whether the program may run, that is, whether the state is `valid`."""
        return self.state == "valid"

    def has(self, entitlement: str) -> bool:
        """Whether the license is `valid` and includes this entitlement."""
        return entitlement in self.entitlements

    def may_update_to(self, day: str) -> bool:
        """Whether a build released on this day, `YYYY-MM-DD`, may run with this license.

        False in any state except `valid` and `update_not_covered`, and for a text that is not a day.
        """
        released_at = parse_day(day)
        may_run = self.is_valid or self.state == "update_not_covered"
        return may_run and released_at is not None and self.covers(released_at)


def status_of(
    state: State,
    reason: Optional[str] = None,
    terms: Terms = NO_TERMS,
    valid_until: Optional[datetime] = None,
) -> Status:
    return Status(**vars(terms), state=state, reason=reason, valid_until=valid_until)
