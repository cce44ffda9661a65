"""The calls to the license service that need no account.

Every response is a value, and so is every failure to get one.
"""

from __future__ import annotations

import secrets
from typing import Any, Dict, NamedTuple, Optional, Union

from .encoding import parse_json, to_integer
from .rejection import Proof
from .transport import Reply, Transport, is_decided_by_body, post
from .verification import Rejection


class Active(NamedTuple):
    """The license is active on this machine. The certificate is not verified yet."""

    certificate: str


class Pending(NamedTuple):
    """The license has not been activated yet."""


class Leased(NamedTuple):
    """The license is active on this machine with a lease. The validation is not signed."""


class Released(NamedTuple):
    """This machine has released its seat."""


class Machines(NamedTuple):
    """The seats of a license."""

    used: int
    max: int


class Rejected(NamedTuple):
    """The service says that the license must not be used on this machine.

    machines: the seats in use, if the license has several and this machine holds none
    code, message: those of a rejected request for which the SDK has no code
    rejected_at: when the service signed it, in seconds since 1970, once verified
    """

    rejection: Rejection
    proof: Proof
    machines: Optional[Machines] = None
    code: str = ""
    message: str = ""
    rejected_at: int = 0


class Failed(NamedTuple):
    """There is no response, or one that says nothing about the license.

    reason: as in `Status.reason`
    code, message: those of a rejected request; empty if the service sent none
    retry_after: seconds to wait before the next attempt, if the service said so
    cause: the network error
    """

    reason: str
    code: str = ""
    message: str = ""
    retry_after: Optional[int] = None
    cause: Optional[BaseException] = None


Validation = Union[Active, Leased, Pending, Rejected, Failed]
NOT_THE_SERVICE = Failed("not_the_service")
LIMIT_REACHED = Failed("request_rejected", "MACHINE_LIMIT_REACHED")
REJECTIONS: Dict[str, Rejection] = {
    "revoked": "revoked",
    "expired": "expired",
    "machine_mismatch": "other_machine",
    "suspended": "suspended",
    "lease_ended": "lease_ended",
}
# Codes of rejected requests that stop the license.
REJECTION_CODES: Dict[str, Rejection] = {
    "LICENSE_REVOKED": "revoked",
    "LICENSE_EXPIRED": "expired",
    "LICENSE_ON_ANOTHER_MACHINE": "other_machine",
    "LICENSE_SUSPENDED": "suspended",
}


class Client:
    """The requests of one product. `timeout` is in seconds, for each request."""

    def __init__(
        self,
        service: str,
        product: str,
        machine_name: Optional[str],
        timeout: float,
        transport: Optional[Transport],
    ) -> None:
        self._service = service
        self._product = product
        self._machine_name = machine_name
        self._timeout = timeout
        self._transport = transport

    def refresh(self, key: str, fingerprint: str) -> Union[Active, Leased, Rejected, Failed]:
        """Validates the license. Activates it only if it is pending, such as after a restore."""
        validation = self._validate(key, fingerprint)
        if isinstance(validation, Pending):
            return self._take_seat("activate", key, fingerprint)
        return validation

    def activate(self, key: str, fingerprint: str) -> Union[Active, Rejected, Failed]:
        """Validates the license. Activates it only if it has a free seat, because activations have a lower rate limit.


        """
        validation = self._validate(key, fingerprint)
        if isinstance(validation, Leased):
            return self.heartbeat(key, fingerprint)
        if isinstance(validation, Pending) or _has_free_seat(validation):
            return self._take_seat("activate", key, fingerprint)
        if isinstance(validation, Rejected) and validation.machines:
            return LIMIT_REACHED
        return validation

    def heartbeat(self, key: str, fingerprint: str) -> Union[Active, Rejected, Failed]:
        return self._take_seat("heartbeat", key, fingerprint)

    def release(self, key: str, fingerprint: str) -> Union[Released, Rejected, Failed]:
        body = self._post("/validate/release", key, fingerprint)
        if not isinstance(body, dict):
            return body
        return Released() if body.get("success") is True else NOT_THE_SERVICE

    def _validate(self, key: str, fingerprint: str) -> Validation:
        nonce = secrets.token_urlsafe(16)
        body = self._post("/validate", key, fingerprint, certificate=True, nonce=nonce)
        return _interpret_validation(body, nonce) if isinstance(body, dict) else body

    def _take_seat(
        self, route: str, key: str, fingerprint: str
    ) -> Union[Active, Rejected, Failed]:
        members: Dict[str, object] = {"certificate": True, "nonce": secrets.token_urlsafe(16)}
        if self._machine_name is not None:
            members["machineName"] = self._machine_name
        body = self._post(f"/validate/{route}", key, fingerprint, **members)
        if not isinstance(body, dict):
            return body
        if body.get("success") is not True:
            return NOT_THE_SERVICE
        return _interpret_certificate(body.get("certificate"))

    def _post(
        self, route: str, key: str, fingerprint: str, **members: object
    ) -> Union[Dict[str, Any], Rejected, Failed]:
        """The body of a response with status 200."""
        content = {"key": key, "fingerprint": fingerprint, "product": self._product, **members}
        reply = post(self._transport, self._service + route, content, self._timeout)
        return _interpret_reply(reply, str(members.get("nonce", "")))


def _interpret_reply(reply: Reply, nonce: str) -> Union[Dict[str, Any], Rejected, Failed]:
    if reply.reason is not None:
        return Failed(reply.reason, cause=reply.cause)
    if reply.status == 429:
        return Failed("rate_limited", retry_after=reply.retry_after)
    # 511: the network requires the user to log in.
    if 500 <= reply.status <= 599 and reply.status != 511:
        return Failed("server_error", retry_after=reply.retry_after)
    body = _parse_object(reply.body) if is_decided_by_body(reply.status) else None
    if body is None:
        return NOT_THE_SERVICE
    return body if reply.status == 200 else _interpret_error(body, nonce)


def _interpret_error(body: Dict[str, Any], nonce: str) -> Union[Rejected, Failed]:
    code, message = _text(body.get("code")), _text(body.get("message"))
    if code == "LICENSE_NOT_FOUND":
        return Failed("unknown_key")
    rejection = REJECTION_CODES.get(code)
    if rejection is None:
        return Failed("request_rejected", code, message)
    rejected = Rejected(rejection, Proof(body.get("rejection"), nonce))
    if rejection == "suspended":
        return rejected._replace(code=code, message=message)
    return rejected


def _interpret_validation(body: Dict[str, Any], nonce: str) -> Validation:
    status = _text(body.get("status"))
    if status == "pending":
        return Pending()
    if status == "active":
        if isinstance(body.get("leaseEndsAt"), str) and body.get("certificate") is None:
            return Leased()
        return _interpret_certificate(body.get("certificate"))
    rejection = REJECTIONS.get(status)
    if rejection is None:
        return Failed("unknown_key") if status == "invalid" else NOT_THE_SERVICE
    machines = _read_machines(body.get("machines")) if rejection == "other_machine" else None
    return Rejected(rejection, Proof(body.get("rejection"), nonce), machines)


def _has_free_seat(validation: Validation) -> bool:
    if not isinstance(validation, Rejected):
        return False
    machines = validation.machines
    is_free = machines is not None and machines.used < machines.max
    return is_free or validation.rejection == "lease_ended"


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


def _parse_object(body: bytes) -> Optional[Dict[str, Any]]:
    try:
        value = parse_json(body)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
