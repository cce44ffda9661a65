"""Verifies certificates. Pure: it uses no clock, no file and no network."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from typing import Any, Dict, Literal, Mapping, Optional, Tuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from .encoding import (
    decode_base64url,
    encode_base64url,
    parse_json,
    parse_strict_json,
    to_integer,
)
from .status import NO_TERMS, State, Status, Terms, status_of
from .timestamps import parse_time

MAX_LENGTH = 4096
MAX_CLOCK_SKEW = 86_400  # seconds
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
# The expiry of a perpetual license.
NEVER = "9999-12-31T23:59:59.999Z"

Rejection = Literal["revoked", "expired", "other_machine", "suspended", "lease_ended"]

@dataclass(frozen=True)
class Program:
    """The constants built into the program.

    keys: by RFC 7638 thumbprint
    released_at: the release date of this build; None if it runs regardless of updates
    """

    issuer: str
    product: str
    keys: Mapping[str, Ed25519PublicKey]
    released_at: Optional[datetime] = None


@dataclass(frozen=True)
class Certificate:
    """The claims of a certificate that passes rule 1. Integers are seconds since 1970."""

    product: str
    license_id: str
    machine: str
    issued_at: int
    expires_at: int
    license_expires_at: datetime
    services: Tuple[str, ...]
    terms: Terms = NO_TERMS
    entitlements: Tuple[str, ...] = ()
    lease_seconds: Optional[int] = None

    @property
    def clock_tolerance(self) -> int:
        """Seconds that the clock may be behind; fewer with a lease, which could otherwise be used twice."""
        lease = self.lease_seconds
        return MAX_CLOCK_SKEW if lease is None else min(lease, MAX_CLOCK_SKEW)


class Untrusted(Exception):
    """A certificate that fails one of rules 1 to 3, or a state file that cannot be used."""

    def __init__(self, state: State, reason: str) -> None:
        super().__init__(state, reason)
        self.state = state
        self.reason = reason


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
    released_at: Optional[datetime] = None,
) -> Status:
    """Applies rules 4 to 7: whether an authentic certificate is valid now. Times in seconds."""
    terms = certificate.terms
    # Rule 4: the stored rejection
    if rejection is not None:
        return status_of(rejection, "rejected", terms)
    license_end = certificate.license_expires_at
    until = min(_to_datetime(certificate.expires_at), license_end)
    license_is_over = license_end.timestamp() <= now
    certificate_is_over = certificate.expires_at <= now
    # Rule 5: clock
    if certificate.issued_at - now > certificate.clock_tolerance:
        return status_of("clock", "issued_in_future", terms)
    if remembered_time - now > certificate.clock_tolerance:
        return status_of("clock", "clock_set_back", terms)
    if is_clock_ahead and (license_is_over or certificate_is_over):
        return status_of("clock", "already_over", terms)
    # Rule 6: expired, ended
    if license_is_over:
        return status_of("expired", "license_expired", terms, license_end)
    if certificate_is_over:
        return status_of("ended", "certificate_ended", terms, until)
    # Rule 7: update_not_covered
    if released_at is not None and not terms.covers(released_at):
        return status_of("update_not_covered", "updates_ended", terms)
    services, entitlements = list(certificate.services), list(certificate.entitlements)
    valid = status_of("valid", None, terms, until)
    return replace(valid, services=services, entitlements=entitlements)


def hash_lines(*lines: str) -> str:
    """Base64url of the SHA-256 of lines joined by line feeds."""
    return encode_base64url(hashlib.sha256("\n".join(lines).encode("utf-8")).digest())


def read_jws(text: str, typ: str, keys: Mapping[str, Ed25519PublicKey]) -> Dict[str, Any]:
    """The claims of a compact JWS of this `typ` signed with one of the keys. Raises Untrusted.

    They are parsed only after the signature is verified.
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
    """The claim `machine` of a license on this machine."""
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
        license_expires_at=_read_time(of_license.get("expiresAt")),
        terms=_read_terms(of_license),
        services=_read_texts(of_license.get("services")),
        entitlements=() if entitlements is None else _read_texts(entitlements),
        lease_seconds=lease_seconds,
    )


def _read_texts(value: object) -> Tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise Untrusted("damaged", "claims")
    return tuple(value)


def _read_time(value: object) -> datetime:
    time = parse_time(value)
    if time is None:
        raise Untrusted("damaged", "claims")
    return time


def _read_terms(of_license: Dict[str, Any]) -> Terms:
    """Older certificates have only the expiry of the license."""
    end, updates_until = of_license.get("expiresAt"), of_license.get("updatesUntil")
    licensee, plan = of_license.get("licensee"), of_license.get("plan")
    if not all(text is None or isinstance(text, str) for text in (licensee, plan)):
        raise Untrusted("damaged", "claims")
    return Terms(
        expires_at=None if end == NEVER else _read_time(end),
        perpetual=end == NEVER,
        updates_until=None if updates_until is None else _read_time(updates_until),
        licensee=licensee,
        plan=plan,
    )


def _to_datetime(seconds: int) -> datetime:
    try:
        return EPOCH + timedelta(seconds=seconds)
    except OverflowError:
        return datetime.max.replace(tzinfo=timezone.utc)
