"""Verifies certificates. Pure: no clock, no file, no network."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Any, Dict, List, Literal, Mapping, Optional, Tuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from .encoding import (
    decode_base64url,
    encode_base64url,
    parse_json,
    parse_strict_json,
    to_integer,
)

MAX_LENGTH = 4096
MAX_CLOCK_SKEW = 86_400  # seconds
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)

Rejection = Literal["revoked", "expired", "other_machine", "suspended", "lease_ended"]
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
    "unreadable",
]


@dataclass(frozen=True)
class Status:
    """Whether the program is licensed.

    state: `valid`, or why not
    until: the end of the certificate or of its license, whichever is earlier, in UTC; None unless
        the certificate is good but for its end
    services: the services of the license if `valid`, otherwise empty
    reason: a stable code that explains the state, or why the last refresh changed nothing
    entitlements: the entitlements of the license if `valid`, otherwise empty
    """

    state: State
    until: Optional[datetime] = None
    services: List[str] = field(default_factory=list)
    reason: Optional[str] = None
    entitlements: List[str] = field(default_factory=list)

    def has(self, entitlement: str) -> bool:
        """Whether the license is `valid` and includes this entitlement."""
        return entitlement in self.entitlements


@dataclass(frozen=True)
class Program:
    """The constants that are built into the program. `keys` by RFC 7638 thumbprint."""

    issuer: str
    product: str
    keys: Mapping[str, Ed25519PublicKey]


@dataclass(frozen=True)
class Certificate:
    """The claims of a certificate that rule 1 accepts. Integers are seconds since 1970."""

    product: str
    license_id: str
    machine: str
    issued_at: int
    expires_at: int
    license_expires_at: datetime
    services: Tuple[str, ...]
    entitlements: Tuple[str, ...] = ()
    lease_seconds: Optional[int] = None

    @property
    def clock_tolerance(self) -> int:
        """Seconds that the clock may be behind: with a lease less, or it could be used twice."""
        lease = self.lease_seconds
        return MAX_CLOCK_SKEW if lease is None else min(lease, MAX_CLOCK_SKEW)


class Untrusted(Exception):
    """A certificate that breaks one of the rules 1 to 3, or a state file that cannot be used."""

    def __init__(self, state: State, reason: str) -> None:
        super().__init__(state, reason)
        self.state = state
        self.reason = reason


def verify(
    text: str,
    program: Program,
    fingerprint: str,
    *,
    rejection: Optional[Rejection],
    now: float,
    remembered_time: int,
    is_clock_ahead: bool = False,
) -> Status:
    """Applies rules 1 to 6 to a compact JWS. Times in seconds."""
    try:
        certificate = read_certificate(text, program, fingerprint)
    except Untrusted as untrusted:
        return Status(untrusted.state, reason=untrusted.reason)
    return judge(
        certificate,
        rejection=rejection,
        now=now,
        remembered_time=remembered_time,
        is_clock_ahead=is_clock_ahead,
    )


def read_certificate(text: str, program: Program, fingerprint: str) -> Certificate:
    """Applies rules 1 to 3: whether the issuer made this certificate for this product and machine.

    Raises Untrusted.
    """
    # Rule 1: damaged
    claims = read_jws(text, "license+jwt", program.keys)
    if claims.get("iss") != program.issuer:
        raise Untrusted("damaged", "issuer")
    certificate = _read_claims(claims)
    # Rule 2: other_product
    if certificate.product != program.product:
        raise Untrusted("other_product", "product")
    # Rule 3: other_machine
    if certificate.machine != machine_of(program, certificate.license_id, fingerprint):
        raise Untrusted("other_machine", "machine")
    return certificate


def judge(
    certificate: Certificate,
    *,
    rejection: Optional[Rejection],
    now: float,
    remembered_time: int,
    is_clock_ahead: bool = False,
) -> Status:
    """Applies rules 4 to 6: whether an authentic certificate holds now. Times in seconds."""
    # Rule 4: the stored rejection
    if rejection is not None:
        return Status(rejection, reason="rejected")
    until = min(_to_datetime(certificate.expires_at), certificate.license_expires_at)
    license_is_over = certificate.license_expires_at.timestamp() <= now
    certificate_is_over = certificate.expires_at <= now
    # Rule 5: clock
    if certificate.issued_at - now > certificate.clock_tolerance:
        return Status("clock", reason="issued_in_future")
    if remembered_time - now > certificate.clock_tolerance:
        return Status("clock", reason="clock_set_back")
    if is_clock_ahead and (license_is_over or certificate_is_over):
        return Status("clock", reason="already_over")
    # Rule 6: expired, ended
    if license_is_over:
        return Status("expired", until, reason="license_expired")
    if certificate_is_over:
        return Status("ended", until, reason="certificate_ended")
    services, entitlements = list(certificate.services), list(certificate.entitlements)
    return Status("valid", until, services, entitlements=entitlements)


def hash_lines(*lines: str) -> str:
    """Base64url of SHA-256 over lines that are separated by line feeds."""
    return encode_base64url(hashlib.sha256("\n".join(lines).encode("utf-8")).digest())


def read_jws(text: str, typ: str, keys: Mapping[str, Ed25519PublicKey]) -> Dict[str, Any]:
    """The claims of a compact JWS of this `typ` that one of the keys has signed. Raises Untrusted.

    They are parsed only once the signature is verified.
    """
    if len(text) > MAX_LENGTH:
        raise Untrusted("damaged", "format")
    try:
        header_part, payload_part, signature_part = text.split(".")
        header = parse_strict_json(decode_base64url(header_part))
        payload = decode_base64url(payload_part)
        signature = decode_base64url(signature_part)
    except ValueError:
        raise Untrusted("damaged", "format") from None
    key = _find_key(header, typ, keys)
    try:
        key.verify(signature, f"{header_part}.{payload_part}".encode("ascii"))
    except InvalidSignature:
        raise Untrusted("damaged", "signature") from None
    try:
        claims = parse_json(payload)
    except ValueError:
        raise Untrusted("damaged", "format") from None
    if not isinstance(claims, dict):
        raise Untrusted("damaged", "claims")
    return claims


def machine_of(program: Program, license_id: str, fingerprint: str) -> str:
    """Claim `machine` of a license on this machine."""
    return hash_lines("license-certificate:v1", program.issuer, license_id, fingerprint)


def _find_key(header: object, typ: str, keys: Mapping[str, Ed25519PublicKey]) -> Ed25519PublicKey:
    if not isinstance(header, dict) or set(header) != {"alg", "typ", "kid"}:
        raise Untrusted("damaged", "header")
    if header["alg"] != "EdDSA" or header["typ"] != typ:
        raise Untrusted("damaged", "header")
    kid = header["kid"]
    key = keys.get(kid) if isinstance(kid, str) else None
    if key is None:
        raise Untrusted("damaged", "key")
    return key


def _read_claims(claims: Dict[str, Any]) -> Certificate:
    texts = [claims.get(name) for name in ("aud", "sub", "jti", "machine")]
    issued_at, expires_at = to_integer(claims.get("iat")), to_integer(claims.get("exp"))
    of_license = claims.get("license")
    if (
        not all(isinstance(text, str) for text in texts)
        or issued_at is None
        or expires_at is None
        or not isinstance(of_license, dict)
    ):
        raise Untrusted("damaged", "claims")
    lease_seconds = of_license.get("leaseSeconds")
    if lease_seconds is not None:
        lease_seconds = to_integer(lease_seconds)
        if lease_seconds is None:
            raise Untrusted("damaged", "claims")
    # Older certificates have no entitlements.
    entitlements = of_license.get("entitlements")
    return Certificate(
        product=claims["aud"],
        license_id=claims["sub"],
        machine=claims["machine"],
        issued_at=issued_at,
        expires_at=expires_at,
        license_expires_at=_parse_time(of_license.get("expiresAt")),
        services=_read_texts(of_license.get("services")),
        entitlements=() if entitlements is None else _read_texts(entitlements),
        lease_seconds=lease_seconds,
    )


def _read_texts(value: object) -> Tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise Untrusted("damaged", "claims")
    return tuple(value)


def _parse_time(value: object) -> datetime:
    """A time as the service writes it: 2026-07-31T10:15:00.000Z."""
    # fromisoformat of some versions takes 24:00 as the next day.
    pattern = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?!24)[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z"
    if not isinstance(value, str) or not re.fullmatch(pattern, value):
        raise Untrusted("damaged", "claims")
    try:
        return datetime.fromisoformat(value[:-1] + "+00:00")
    except ValueError:
        raise Untrusted("damaged", "claims") from None


def _to_datetime(seconds: int) -> datetime:
    try:
        return EPOCH + timedelta(seconds=seconds)
    except OverflowError:
        return datetime.max.replace(tzinfo=timezone.utc)
