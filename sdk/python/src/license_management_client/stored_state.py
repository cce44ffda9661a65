"""The content of the state file, and how a certificate changes it. Pure, like verification."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from typing import Callable, NamedTuple, Optional, Tuple

from .status import Status, status_of
from .verification import (
    MAX_CLOCK_SKEW,
    Certificate,
    Program,
    Rejection,
    Untrusted,
    judge,
    read_certificate,
)


@dataclass(frozen=True)
class Stored:
    """The content of the state file; empty if there is no file.

    key: the license key; None if a certificate was installed without one
    certificate: the most recently issued certificate
    installed: the installed certificate that expires last; the license is usable until then
    rejection: the last statement of the service about the license, if it was a rejection
    rejected_at: when the service signed the rejection, in seconds since 1970; 0 if there is none
    remembered_time: when a certificate was last known to be valid or issued, in seconds since 1970
    """

    key: Optional[str] = None
    certificate: Optional[str] = None
    installed: Optional[str] = None
    rejection: Optional[Rejection] = None
    rejected_at: int = 0
    remembered_time: int = 0


class Received(NamedTuple):
    """An authentic certificate. key: the license key it was requested with; None if it was installed
    """

    text: str
    certificate: Certificate
    key: Optional[str] = None


def with_certificate(
    stored: Stored, received: Received, program: Program, fingerprint: str, *, now: float
) -> Stored:
    """The state after a certificate arrives. `now` is in seconds since 1970."""
    certificate = received.certificate
    previous = _read(stored.certificate, program, fingerprint)
    is_same_license = previous is None or previous.license_id == certificate.license_id
    # Keeping the key of another license would bring back that license's certificate at the next refresh.
    stored_key = stored.key if is_same_license else None
    if previous is not None and _is_misdated(previous, certificate, now):
        previous = None
    is_newer = previous is None or certificate.issued_at > previous.issued_at
    is_older = previous is not None and is_same_license and _order(certificate) < _order(previous)
    before = _read(stored.installed, program, fingerprint)
    stays_rejected = is_same_license and _is_before_rejection(certificate, stored, now)
    is_kept = before is not None and _keeps_its_end(before, received, now)
    return Stored(
        key=received.key or stored_key,
        certificate=stored.certificate if is_older else received.text,
        installed=stored.installed if is_kept else received.text if received.key is None else None,
        rejection=stored.rejection if stays_rejected else None,
        rejected_at=stored.rejected_at if stays_rejected else 0,
        remembered_time=certificate.issued_at if is_newer else stored.remembered_time,
    )


def with_time(stored: Stored, verified: Stored, now: float) -> Optional[Stored]:
    """The state that remembers a time at which `verified` was valid; None if the certificate was replaced."""
    if stored.certificate != verified.certificate:
        return None
    return replace(stored, remembered_time=max(stored.remembered_time, int(now)))


def is_leased(stored: Stored, program: Program, fingerprint: str) -> bool:
    """Whether the stored certificate is for a license with leases."""
    certificate = _read(stored.certificate, program, fingerprint)
    return certificate is not None and certificate.lease_seconds is not None


def judge_stored(
    stored: Stored,
    program: Program,
    fingerprint: Callable[[], str],
    *,
    now: float,
    is_clock_ahead: bool = False,
) -> Status:
    """Whether the stored license is usable.

    fingerprint: called only if there is a certificate, because it may need to be created first
    now: seconds since 1970
    """
    if stored.certificate is None:
        return status_of(stored.rejection or "none", stored.rejection and "rejected")
    try:
        certificate = read_certificate(stored.certificate, program, fingerprint())
    except Untrusted as untrusted:
        return status_of(untrusted.state, untrusted.reason)
    if stored.installed != stored.certificate:
        installed = _read(stored.installed, program, fingerprint())
        if installed is not None and installed.license_id == certificate.license_id:
            end = max(installed.expires_at, certificate.expires_at)
            certificate = replace(certificate, expires_at=end)
    return judge(
        certificate,
        rejection=stored.rejection,
        now=now,
        remembered_time=stored.remembered_time,
        is_clock_ahead=is_clock_ahead,
        released_at=program.released_at,
    )


def license_of(stored: Stored, program: Program, fingerprint: str) -> Optional[str]:
    """The license in the stored certificate; None if there is none for this program and machine."""
    certificate = _read(stored.certificate, program, fingerprint)
    return None if certificate is None else certificate.license_id


def _read(text: Optional[str], program: Program, fingerprint: str) -> Optional[Certificate]:
    if text is not None:
        with contextlib.suppress(Untrusted):
            return read_certificate(text, program, fingerprint)
    return None


def _is_before_rejection(certificate: Certificate, stored: Stored, now: float) -> bool:
    """Whether it is older than the rejection and so does not lift it, such as a recorded certificate that is replayed.

    A rejection from the far future was signed while the service's clock was ahead. Without this limit, the license would stay rejected for that long.
    """
    is_misdated = stored.rejected_at - now > MAX_CLOCK_SKEW
    return certificate.issued_at < stored.rejected_at and not is_misdated


def _order(certificate: Certificate) -> Tuple[int, int]:
    """If two were issued in the same second, the one that expires later counts."""
    return certificate.issued_at, certificate.expires_at


def _keeps_its_end(installed: Certificate, received: Received, now: float) -> bool:
    certificate = received.certificate
    is_replaced = received.key is None and certificate.expires_at >= installed.expires_at
    return (
        installed.license_id == certificate.license_id
        and not _is_misdated(installed, certificate, now)
        and not is_replaced
    )


def _is_misdated(previous: Certificate, following: Certificate, now: float) -> bool:
    """Whether the previous one was issued while the service's clock was ahead.

    Otherwise it would be kept for as long as the clock was ahead.
    """
    return _is_ahead(previous, now) and not _is_ahead(following, now)


def _is_ahead(certificate: Certificate, now: float) -> bool:
    return certificate.issued_at - now > certificate.clock_tolerance
