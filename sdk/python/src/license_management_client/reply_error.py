"""The error that a reply without a certificate becomes."""

from __future__ import annotations

from typing import Union

from .client import Failed, Rejected
from .errors import CONTACT_MESSAGES, LicenseError


def error_of(outcome: Union[Rejected, Failed]) -> LicenseError:
    if isinstance(outcome, Rejected):
        message = outcome.message or CONTACT_MESSAGES[outcome.rejection]
        return LicenseError(outcome.code or outcome.rejection, message)
    code = outcome.code or outcome.reason
    message = outcome.message or CONTACT_MESSAGES.get(code, CONTACT_MESSAGES[outcome.reason])
    error = LicenseError(code, message, outcome.retry_after)
    error.__cause__ = outcome.cause
    return error
