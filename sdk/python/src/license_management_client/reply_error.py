"""The error for a reply without a certificate."""

from __future__ import annotations

import re
from typing import Union

from .client import Failed, Rejected
from .errors import CONTACT_MESSAGES, LicenseError

# The shape of a license key; each digit stands for a letter or digit.
KEY = "LIC-000000000000000000000000-0000-0000-0000"


def error_of(outcome: Union[Rejected, Failed], key: str = "") -> LicenseError:
    """key: the key the user entered"""
    if isinstance(outcome, Rejected):
        message = outcome.message or CONTACT_MESSAGES[outcome.rejection]
        return LicenseError(outcome.code or outcome.rejection, message)
    code = outcome.code or outcome.reason
    message = outcome.message or CONTACT_MESSAGES.get(code, CONTACT_MESSAGES[outcome.reason])
    if code == "unknown_key" and _is_incomplete(key):
        message += " This is not a complete license key."
    error = LicenseError(code, message, outcome.retry_after)
    error.__cause__ = outcome.cause
    return error


def _is_incomplete(key: str) -> bool:
    """Whether part of a license key is missing."""
    whole = key + KEY[len(key) :]
    pattern = "(?i:LIC)-[0-9A-Fa-f]{24}(-[0-9A-Za-z]{4}){3}"
    return 4 <= len(key) < len(KEY) and re.fullmatch(pattern, whole) is not None
