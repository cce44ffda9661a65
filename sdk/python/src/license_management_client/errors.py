"""The only exception of this package, and its messages."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Optional

CONTACT_MESSAGES = {
    "no_response": "The license service cannot be reached. Check the network connection.",
    "untrusted_server": (
        "The identity of the license service cannot be verified. Check the clock and the network."
    ),
    "timeout": "The license service did not respond in time. Try again.",
    "rate_limited": "Too many requests to the license service. Try again later.",
    "server_error": "The license service cannot process requests at the moment. Try again later.",
    "not_the_service": (
        "The response is not from the license service. Check whether the network requires you to log in."
    ),
    "unknown_key": "No license has this key. Compare it with the one your vendor sent you.",
    "no_certificate": "The license service issued no certificate. Ask your vendor to update the service.",
    "bad_certificate": (
        "The certificate from the license service cannot be verified. Update this program."
    ),
    "unproved": "The response is not signed by the license service. Check the network connection.",
    "request_rejected": "The license service rejected the request.",
    "revoked": "The license has been revoked. Ask your vendor for a new license key.",
    "expired": "The license has expired. Ask your vendor to renew it.",
    "other_machine": "The license is activated on another machine. Ask your vendor to reissue it.",
    "suspended": "The license is suspended. Contact your vendor, then try again.",
    "MACHINE_LIMIT_REACHED": (
        "The license is in use on as many machines as it allows. Release one of them."
    ),
    "lease_ended": "The lease of this machine has expired. Activate the license again.",
}

CERTIFICATE_MESSAGES = {
    "format": "The certificate is incomplete or has been changed. Copy it again.",
    "header": "The text is not a license certificate.",
    "key": "The certificate is signed with a key that this version of the program does not know. Update the program.",
    "signature": "The certificate has been changed. Copy it again.",
    "issuer": "The certificate is from another vendor.",
    "claims": "The certificate is missing information. Ask your vendor for another one.",
    "product": "The certificate is for another product.",
    "machine": "The certificate is for another machine.",
}


class LicenseError(Exception):
    """A problem that the program or its user must fix, with an option, the folder, a response or a certificate.

    code: stable, for programs
    message: for people, in English
    retry_after: seconds to wait before the next attempt if the service said so, otherwise None
    """

    def __init__(self, code: str, message: str, retry_after: Optional[int] = None) -> None:
        super().__init__(code, message, retry_after)
        self.code = code
        self.message = message
        self.retry_after = retry_after

    def __str__(self) -> str:
        return self.message


def folder_error(folder: Path, error: OSError) -> LicenseError:
    """The error for an error of the file system."""
    code = errno.errorcode.get(error.errno or 0, str(error))
    return LicenseError("folder", f"The folder {folder} cannot be used ({code}).")


def reason_of(error: Exception) -> str:
    """Why nothing could be read or stored."""
    is_of_machine = isinstance(error, LicenseError) and error.code == "machine_id"
    return "machine_id" if is_of_machine else "folder"
