"""Checks the options of a License. Each function raises a LicenseError that names the option."""

from __future__ import annotations

import hashlib
import ipaddress
import os
import re
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    TypedDict,
    Union,
)
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from .edwards_point import is_signing_point
from .encoding import decode_base64url, encode_base64url
from .errors import LicenseError
from .timestamps import parse_day
from .transport import Transport

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    # Only type checkers need it.
    from typing_extensions import Unpack
else:

    class Unpack:
        """For get_type_hints."""

        def __class_getitem__(cls, options: object) -> object:
            return options

LONGEST_TIMEOUT = 600  # seconds
# The same in each SDK. Stricter than URL parsers, which differ.
SERVICE = re.compile(
    r"(https://([a-z0-9._-]+|\[[0-9a-f:.]+\])|http://(localhost|127\.0\.0\.1|\[::1\]))"
    r"(:[1-9]\d{0,4})?(/[\w.~!$&'()*+,;=:%/-]*)?",
    re.ASCII | re.IGNORECASE,
)
PRODUCT = "[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?"
MACHINE_NAME = r"[^\x00-\x1f\x7f-\x9f]{1,100}"
FINGERPRINT = "[!-~][ -~]{14,254}[!-~]"


class RequiredOptions(TypedDict):
    service: str
    issuer: str
    product: str
    keys: Sequence[Mapping[str, Any]]
    folder: Union[str, os.PathLike[str]]


class LicenseOptions(RequiredOptions, total=False):
    """The keyword arguments of License.

    service: address of the license service; https, or http for localhost
    issuer, keys: of `GET /signing-keys`; the keys are `current` and `next`
    product: the product of the project, or the project's id
    folder: absolute path of a folder that only the program can read and write; created if absent
    fingerprint: names this machine, 16 to 256 printable ASCII characters;
        by default derived from the machine id of the system
    machine_name: the name that the vendor sees for this machine, 1 to 100 characters
    allow_random_id: whether a machine without its own id may get a random one, stored in the folder; True by default
    released_at: the day on which this build is released, `YYYY-MM-DD`: the license must include
        updates until then
    transport: sends the requests instead of urllib; see `Transport`
    timeout: seconds for each request, from the DNS query to the last byte; 5.0 by default
    now: the clock that tests set, in seconds since 1970
    """

    fingerprint: Optional[str]
    machine_name: Optional[str]
    allow_random_id: bool
    released_at: Optional[str]
    transport: Optional[Transport]
    timeout: float
    now: Callable[[], float]


class Settings(NamedTuple):
    """Valid options, with defaults for absent ones."""

    service: str
    issuer: str
    product: str
    keys: Dict[str, Ed25519PublicKey]
    folder: Path
    fingerprint: Optional[str] = None
    machine_name: Optional[str] = None
    allow_random_id: bool = True
    released_at: Optional[datetime] = None
    transport: Optional[Transport] = None
    timeout: float = 5.0
    now: Callable[[], float] = time.time


def check_options(options: Mapping[str, object]) -> Settings:
    for name in options:
        if name not in CHECKS:
            raise LicenseError("option", f"{name} is not an option.")
    required = CHECKS.keys() - Settings._field_defaults
    checked = {
        name: check(options.get(name))
        for name, check in CHECKS.items()
        if name in options or name in required
    }
    return Settings(**checked)


def wrong_option(name: str, expected: str) -> LicenseError:
    return LicenseError("option", f"{name} must be {expected}.")


def check_service(service: object) -> str:
    """The address without a trailing slash."""
    wrong = wrong_option(
        "service", "an address such as https://licenses.example; http works only on this machine"
    )
    if not isinstance(service, str) or not SERVICE.fullmatch(service):
        raise wrong
    try:
        parts = urlsplit(service)
        # Raises ValueError for a port above 65535. The next line raises it for an IPv6 address.
        parts.port
        if "[" in service:
            ipaddress.IPv6Address(str(parts.hostname))
    except ValueError:
        raise wrong from None
    return service.rstrip("/")


def check_issuer(issuer: object) -> str:
    if not isinstance(issuer, str) or not re.fullmatch("[!-~]{1,128}", issuer):
        raise wrong_option("issuer", "the issuer id from GET /signing-keys")
    return issuer


def check_product(product: object) -> str:
    if not isinstance(product, str) or not re.fullmatch(PRODUCT, product):
        raise wrong_option("product", "the project's product")
    return product


def check_keys(keys: object) -> Dict[str, Ed25519PublicKey]:
    """Public keys by their RFC 7638 thumbprints."""
    if not isinstance(keys, Sequence) or isinstance(keys, (str, bytes)) or not keys:
        raise wrong_option("keys", "a list of at least one public JWK")
    checked: Dict[str, Ed25519PublicKey] = {}
    for index, jwk in enumerate(keys):
        thumbprint, key = _check_key(jwk, f"keys[{index}]")
        if thumbprint in checked:
            message = f"keys[{index}] repeats an earlier key."
            raise LicenseError("option", message)
        checked[thumbprint] = key
    return checked


def check_folder(folder: object) -> Path:
    path = os.fspath(folder) if isinstance(folder, (str, os.PathLike)) else None
    if not isinstance(path, str) or not os.path.isabs(path) or not _is_file_name(path):
        raise wrong_option("folder", "an absolute path")
    return Path(path)


def check_fingerprint(fingerprint: object) -> Optional[str]:
    if fingerprint is None:
        return None
    if not isinstance(fingerprint, str) or not re.fullmatch(FINGERPRINT, fingerprint):
        raise wrong_option(
            "fingerprint", "16 to 256 printable ASCII characters, without spaces at either end"
        )
    return fingerprint


def check_machine_name(name: object) -> Optional[str]:
    if name is None:
        return None
    if not isinstance(name, str) or not re.fullmatch(MACHINE_NAME, name):
        raise wrong_option("machine_name", "1 to 100 characters, without control characters")
    return name


def check_allow_random_id(is_allowed: object) -> bool:
    if not isinstance(is_allowed, bool):
        raise wrong_option("allow_random_id", "True or False")
    return is_allowed


def check_released_at(day: object) -> Optional[datetime]:
    released_at = parse_day(day)
    if day is not None and released_at is None:
        raise wrong_option("released_at", "a day such as 2027-01-31")
    return released_at


def check_transport(transport: object) -> Optional[Transport]:
    if transport is not None and not callable(transport):
        raise wrong_option("transport", "a function")
    return transport


def check_timeout(timeout: object) -> float:
    if (
        not isinstance(timeout, (int, float))
        or isinstance(timeout, bool)
        or not 0 < timeout <= LONGEST_TIMEOUT
    ):
        raise wrong_option("timeout", f"more than 0 and at most {LONGEST_TIMEOUT} seconds")
    return timeout


def check_now(now: object) -> Callable[[], float]:
    if not callable(now):
        raise wrong_option("now", "a function")
    return now


CHECKS: Dict[str, Callable[[object], Any]] = {
    "service": check_service,
    "issuer": check_issuer,
    "product": check_product,
    "keys": check_keys,
    "folder": check_folder,
    "fingerprint": check_fingerprint,
    "machine_name": check_machine_name,
    "allow_random_id": check_allow_random_id,
    "released_at": check_released_at,
    "transport": check_transport,
    "timeout": check_timeout,
    "now": check_now,
}


def _is_file_name(path: str) -> bool:
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


def _check_key(jwk: object, name: str) -> Tuple[str, Ed25519PublicKey]:
    wrong = wrong_option(name, "a public Ed25519 key as a JWK: kty OKP, crv Ed25519, x")
    if not isinstance(jwk, Mapping):
        raise wrong
    if "d" in jwk:
        raise LicenseError("option", f"{name} is a private key. Never ship private keys, and rotate this one.")
    x = jwk.get("x")
    if jwk.get("kty") != "OKP" or jwk.get("crv") != "Ed25519" or not isinstance(x, str):
        raise wrong
    try:
        point = decode_base64url(x)
        key = Ed25519PublicKey.from_public_bytes(point)
    except ValueError:
        raise wrong from None
    if not is_signing_point(point):
        raise wrong
    # RFC 7638: the required members in alphabetical order, without whitespace.
    members = f'{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}'
    return encode_base64url(hashlib.sha256(members.encode("ascii")).digest()), key
