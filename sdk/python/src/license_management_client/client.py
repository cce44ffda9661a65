"""The two calls of the license service that need no account.

Every response, and every failure to get one, is an Outcome.
"""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional, Union

from .encoding import parse_json
from .transport import Reply, post
from .verification import Rejection


class Active(NamedTuple):
    """The license is active on this machine. The certificate is not verified yet."""

    certificate: str


class Pending(NamedTuple):
    """The license waits for its first activation."""


class Rejected(NamedTuple):
    """The license must not be used on this machine."""

    rejection: Rejection


class Failed(NamedTuple):
    """There is no response, or one that says nothing about the license.

    reason: as in `Status.reason`
    code, message: of a rejected request; empty if the service sent none
    retry_after: seconds until the next try, if the service said so
    """

    reason: str
    code: str = ""
    message: str = ""
    retry_after: Optional[int] = None


Outcome = Union[Active, Pending, Rejected, Failed]

VALIDATIONS: Dict[str, Outcome] = {
    "pending": Pending(),
    "revoked": Rejected("revoked"),
    "expired": Rejected("expired"),
    "machine_mismatch": Rejected("other_machine"),
    "suspended": Rejected("suspended"),
    "lease_ended": Rejected("lease_ended"),
    "invalid": Failed("unknown_key"),
}
REJECTED_ACTIVATIONS: Dict[str, Outcome] = {
    "LICENSE_NOT_FOUND": Failed("unknown_key"),
    "LICENSE_REVOKED": Failed("request_rejected", "revoked"),
    "LICENSE_EXPIRED": Failed("request_rejected", "expired"),
    "LICENSE_ON_ANOTHER_MACHINE": Failed("request_rejected", "other_machine"),
}


class Client:
    """Requests a certificate for one product. `timeout` is in seconds, for each request."""

    def __init__(self, service: str, product: str, timeout: float) -> None:
        self._service = service
        self._product = product
        self._timeout = timeout

    def certify(self, key: str, fingerprint: str) -> Union[Active, Rejected, Failed]:
        """Validates the license, and activates it only if it is pending.

        Activations have the lower rate limit.
        """
        outcome = self._post("/validate", key, fingerprint)
        if isinstance(outcome, Pending):
            outcome = self._post("/validate/activate", key, fingerprint)
        return Failed("not_the_service") if isinstance(outcome, Pending) else outcome

    def _post(self, route: str, key: str, fingerprint: str) -> Outcome:
        license_of_machine = {"key": key, "fingerprint": fingerprint, "product": self._product}
        content = {**license_of_machine, "certificate": True}
        return interpret(post(self._service + route, content, self._timeout))


def interpret(reply: Reply) -> Outcome:
    """The outcome of a reply to either call."""
    if reply.reason is not None:
        return Failed(reply.reason)
    if reply.status == 429:
        return Failed("rate_limited", retry_after=reply.retry_after)
    if reply.status >= 500:
        return Failed("server_error", retry_after=reply.retry_after)
    body = _parse_object(reply.body)
    status, code, message = (_text(body.get(name)) for name in ("status", "code", "message"))
    if reply.status >= 400:
        return REJECTED_ACTIVATIONS.get(code) or Failed("request_rejected", code, message)
    if reply.status == 200 and (status == "active" or body.get("success") is True):
        return _interpret_certificate(body.get("certificate"))
    if reply.status == 200 and status in VALIDATIONS:
        return VALIDATIONS[status]
    return Failed("not_the_service")


def _interpret_certificate(certificate: object) -> Outcome:
    if certificate is None:
        return Failed("no_certificate")
    return Active(certificate) if isinstance(certificate, str) else Failed("bad_certificate")


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _parse_object(body: bytes) -> Dict[str, Any]:
    try:
        value = parse_json(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
