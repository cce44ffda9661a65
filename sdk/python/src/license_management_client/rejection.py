"""Signed rejections: only a signed proof from the vendor's service ends a license."""

from __future__ import annotations

from typing import Dict, NamedTuple, Optional

from .encoding import to_integer
from .verification import Program, Rejection, Untrusted, machine_of, read_jws

# The service's names for signed rejections.
STATUSES: Dict[Rejection, str] = {
    "revoked": "revoked",
    "expired": "expired",
    "other_machine": "machine_mismatch",
    "suspended": "suspended",
    "lease_ended": "lease_ended",
}


class Proof(NamedTuple):
    """What the service sent with a rejection.

    text: the signed statement, not verified yet
    nonce: the request's nonce
    """

    text: object
    nonce: str


def proven_at(
    proof: Proof,
    rejection: Rejection,
    program: Program,
    fingerprint: str,
    *,
    license_id: Optional[str],
) -> Optional[int]:
    """When the service signed this rejection, in seconds since 1970; None if it did not.

    license_id: from the stored certificate; None if there is none
    """
    if not isinstance(proof.text, str):
        return None
    try:
        claims = read_jws(proof.text, "license-rejection+jwt", program.keys)
    except Untrusted:
        return None
    sub, issued_at = claims.get("sub"), to_integer(claims.get("iat"))
    if not isinstance(sub, str) or issued_at is None:
        return None
    # The owner of another rejected license could have had it signed for this machine.
    is_of_license = license_id is None or sub == license_id
    expected = {
        "iss": program.issuer,
        "aud": program.product,
        "nonce": proof.nonce,
        "machine": machine_of(program, sub, fingerprint),
        "status": STATUSES[rejection],
    }
    is_proof = is_of_license and all(claims.get(name) == expected[name] for name in expected)
    return issued_at if is_proof else None
