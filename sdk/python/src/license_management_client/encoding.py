"""Strict base64url and JSON, because the standard library accepts more than the format allows."""

from __future__ import annotations

import base64
import json
import re
from typing import Any, Callable, Dict, List, NoReturn, Optional, Tuple, Union

MAX_SAFE_INTEGER = 2**53 - 1
MAX_DEPTH = 64
MAX_DIGITS = 16


def encode_base64url(data: bytes) -> str:
    """Base64url without padding."""
    return base64.urlsafe_b64encode(data).decode("ascii").rstrip("=")


def decode_base64url(text: str) -> bytes:
    """Decodes canonical base64url: no padding, no other character, no unused bits.

    Raises ValueError for any other text.
    """
    if not re.fullmatch("[A-Za-z0-9_-]*", text):
        raise ValueError("not base64url")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if encode_base64url(data) != text:
        raise ValueError("not canonical base64url")
    return data


def parse_json(text: bytes) -> object:
    """Parses UTF-8 JSON. If a member is repeated, the last one counts (RFC 7519, section 4).

    Raises ValueError for anything else, including NaN, Infinity, a byte order mark, a lone
    surrogate, and more than 64 levels of nesting, because the parsers of languages differ.
    """
    return _parse(text, dict)


def parse_strict_json(text: bytes) -> object:
    """Like parse_json, but an object that repeats a member becomes None."""
    return _parse(text, _unique_members)


def _parse(text: bytes, to_object: Callable[[List[Tuple[str, Any]]], Any]) -> object:
    decoded = text.decode("utf-8")
    _require_portable(decoded)
    return json.loads(
        decoded,
        parse_constant=_reject_constant,
        parse_int=_parse_number,
        object_pairs_hook=to_object,
    )


def _require_portable(text: str) -> None:
    depth = 0
    for token in re.findall(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', text):
        if token in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise ValueError("nested too deeply")
        elif token in "]}":
            depth -= 1
        elif "\\" in token and re.search("[\ud800-\udfff]", str(json.loads(token))):
            raise ValueError("a lone surrogate")


def _parse_number(text: str) -> Union[int, float]:
    # Python limits the digits of an integer. Other languages read the nearest double.
    return int(text) if len(text) <= MAX_DIGITS else float(text)


def to_integer(value: object) -> Optional[int]:
    """The integer that a JSON number such as 1.8e9 represents; None unless from 0 to 2^53 - 1."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if isinstance(value, float) and not value.is_integer():
        return None
    return int(value) if 0 <= value <= MAX_SAFE_INTEGER else None


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _unique_members(members: List[Tuple[str, Any]]) -> Optional[Dict[str, Any]]:
    value = dict(members)
    return value if len(value) == len(members) else None
