"""The calls of the license service that need no account.

Every response, and every failure to get one, is a value.
"""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional, Union

from .encoding import parse_json, to_integer
from .transport import Reply, post
from .verification import Rejection


class Active(NamedTuple):
    """The license is active on this machine. The certificate is not verified yet."""

    certificate: str


class Pending(NamedTuple):
    """The license waits for its first activation."""


class Leased(NamedTuple):
    """The license is active on this machine by a lease, for which a validation signs nothing."""


class Released(NamedTuple):
    """This machine has given up its place."""


class Machines(NamedTuple):
    """Places of a license."""

    used: int
    max: int


class Rejected(NamedTuple):
    """The license must not be used on this machine.

    machines: of a license with several places, if this machine has none
    """

    rejection: Rejection
    machines: Optional[Machines] = None


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


Validation = Union[Active, Leased, Pending, Rejected, Failed]
NOT_THE_SERVICE = Failed("not_the_service")
LIMIT_REACHED = Failed("request_rejected", "MACHINE_LIMIT_REACHED")
VALIDATIONS: Dict[str, Validation] = {
    "pending": Pending(),
    "revoked": Rejected("revoked"),
    "expired": Rejected("expired"),
    "suspended": Rejected("suspended"),
    "lease_ended": Rejected("lease_ended"),
    "invalid": Failed("unknown_key"),
}
# Codes of rejected requests that the SDK has names for.
KNOWN_CODES: Dict[str, Failed] = {
    "LICENSE_NOT_FOUND": Failed("unknown_key"),
    "LICENSE_REVOKED": Failed("request_rejected", "revoked"),
    "LICENSE_EXPIRED": Failed("request_rejected", "expired"),
    "LICENSE_ON_ANOTHER_MACHINE": Failed("request_rejected", "other_machine"),
}


class Client:
    """Requests of one product. `timeout` is in seconds, for each request."""

    def __init__(
        self, service: str, product: str, machine_name: Optional[str], timeout: float
    ) -> None:
        self._service = service
        self._product = product
        self._machine_name = machine_name
        self._timeout = timeout

    def refresh(self, key: str, fingerprint: str) -> Union[Active, Leased, Rejected, Failed]:
        """Validates the license, and activates it only if it is pending, as after a restore."""
        validation = self._validate(key, fingerprint)
        if isinstance(validation, Pending):
            return self._take_place("activate", key, fingerprint)
        return validation

    def activate(self, key: str, fingerprint: str) -> Union[Active, Rejected, Failed]:
        """Validates the license, and activates it only if it has a free place.

        Activations have the lower rate limit.
        """
        validation = self._validate(key, fingerprint)
        if isinstance(validation, Leased):
            return self.heartbeat(key, fingerprint)
        if isinstance(validation, Pending) or _has_free_place(validation):
            return self._take_place("activate", key, fingerprint)
        if isinstance(validation, Rejected) and validation.machines:
            return LIMIT_REACHED
        return validation

    def heartbeat(self, key: str, fingerprint: str) -> Union[Active, Failed]:
        return self._take_place("heartbeat", key, fingerprint)

    def release(self, key: str, fingerprint: str) -> Union[Released, Failed]:
        body = self._post("/validate/release", key, fingerprint)
        if isinstance(body, Failed):
            return body
        return Released() if body.get("success") is True else NOT_THE_SERVICE

    def _validate(self, key: str, fingerprint: str) -> Validation:
        body = self._post("/validate", key, fingerprint, certificate=True)
        return body if isinstance(body, Failed) else _interpret_validation(body)

    def _take_place(self, route: str, key: str, fingerprint: str) -> Union[Active, Failed]:
        members: Dict[str, object] = {"certificate": True}
        if self._machine_name is not None:
            members["machineName"] = self._machine_name
        body = self._post(f"/validate/{route}", key, fingerprint, **members)
        if isinstance(body, Failed):
            return body
        if body.get("success") is not True:
            return NOT_THE_SERVICE
        return _interpret_certificate(body.get("certificate"))

    def _post(
        self, route: str, key: str, fingerprint: str, **members: object
    ) -> Union[Dict[str, Any], Failed]:
        """The body of a response with the status 200."""
        content = {"key": key, "fingerprint": fingerprint, "product": self._product, **members}
        return _interpret_reply(post(self._service + route, content, self._timeout))


def _interpret_reply(reply: Reply) -> Union[Dict[str, Any], Failed]:
    if reply.reason is not None:
        return Failed(reply.reason)
    if reply.status == 429:
        return Failed("rate_limited", retry_after=reply.retry_after)
    if reply.status >= 500:
        return Failed("server_error", retry_after=reply.retry_after)
    body = _parse_object(reply.body)
    if reply.status >= 400:
        code, message = _text(body.get("code")), _text(body.get("message"))
        return KNOWN_CODES.get(code) or Failed("request_rejected", code, message)
    return body if reply.status == 200 else NOT_THE_SERVICE


def _interpret_validation(body: Dict[str, Any]) -> Validation:
    status = _text(body.get("status"))
    if status == "active":
        if isinstance(body.get("leaseEndsAt"), str) and body.get("certificate") is None:
            return Leased()
        return _interpret_certificate(body.get("certificate"))
    if status == "machine_mismatch":
        return Rejected("other_machine", _read_machines(body.get("machines")))
    return VALIDATIONS.get(status, NOT_THE_SERVICE)


def _has_free_place(validation: Validation) -> bool:
    if not isinstance(validation, Rejected):
        return False
    rejection, machines = validation
    is_free = machines is not None and machines.used < machines.max
    return is_free or rejection == "lease_ended"


def _read_machines(value: object) -> Optional[Machines]:
    if not isinstance(value, dict):
        return None
    used, maximum = to_integer(value.get("used")), to_integer(value.get("max"))
    return None if used is None or maximum is None else Machines(used, maximum)


def _interpret_certificate(certificate: object) -> Union[Active, Failed]:
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
