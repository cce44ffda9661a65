"""Verifies the certificate or the rejection of a reply."""

from __future__ import annotations

from dataclasses import replace
from typing import Callable, NamedTuple, Optional, Union, overload

from .client import Active, Failed, Leased, Rejected
from .rejection import proven_at
from .stored_state import Received, Stored, with_certificate
from .verification import Program, Untrusted, read_certificate

PlaceOutcome = Union[Received, Rejected, Failed]
Outcome = Union[PlaceOutcome, Leased]


class Sender(NamedTuple):
    """What a request sent.

    stored_license: the license in the certificate stored for this key; None if there is none
    """

    key: str
    fingerprint: str
    stored_license: Callable[[], Optional[str]]


@overload
def verify_reply(
    reply: Union[Active, Rejected, Failed], program: Program, sender: Sender
) -> PlaceOutcome: ...


@overload
def verify_reply(
    reply: Union[Active, Leased, Rejected, Failed], program: Program, sender: Sender
) -> Outcome: ...


def verify_reply(
    reply: Union[Active, Leased, Rejected, Failed], program: Program, sender: Sender
) -> Outcome:
    """Accepts only what the vendor signed for this program on this machine."""
    if isinstance(reply, Rejected):
        return _verify_rejection(reply, program, sender)
    if not isinstance(reply, Active):
        return reply
    try:
        certificate = read_certificate(reply.certificate, program, sender.fingerprint)
    except Untrusted:
        return Failed("bad_certificate")
    return Received(reply.certificate, certificate, sender.key)


def with_outcome(
    stored: Stored, key: str, outcome: Outcome, program: Program, fingerprint: str, *, now: float
) -> Optional[Stored]:
    """The state after a reply to a request with this key; None if nothing changes."""
    # Another key may have been activated, or this one forgotten, since. With a lease, nothing is signed, so
    # a stored rejection stays.
    if isinstance(outcome, (Failed, Leased)) or stored.key != key:
        return None
    if isinstance(outcome, Rejected):
        rejection, rejected_at = outcome.rejection, outcome.rejected_at
        return replace(stored, rejection=rejection, rejected_at=rejected_at)
    return with_certificate(stored, outcome, program, fingerprint, now=now)


def _verify_rejection(reply: Rejected, program: Program, sender: Sender) -> Union[Rejected, Failed]:
    rejected_at = proven_at(
        reply.proof,
        reply.rejection,
        program,
        sender.fingerprint,
        license_id=sender.stored_license(),
    )
    if rejected_at is None:
        return Failed("unproved", reply.code or reply.rejection, reply.message)
    return reply._replace(rejected_at=rejected_at)
