"""The license of a program on this machine."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Iterator, Optional, Union

from .client import Active, Client, Failed, Rejected
from .errors import CERTIFICATE_MESSAGES, CONTACT_MESSAGES, LicenseError
from .files import prove_writable
from .machine import derive_fingerprint
from .options import LicenseOptions, check_options
from .state_file import StateFile
from .stored_state import Received, Stored, judge_stored, with_certificate
from .verification import Program, Status, Untrusted, judge, read_certificate

if TYPE_CHECKING:
    # Type checkers bring it; at run time it is not needed.
    from typing_extensions import Unpack

# Seconds between two writes of the remembered time: frequent calls of status() must spare the disk.
REMEMBER_INTERVAL = 3600


class License:
    """The license of one product on this machine. Its methods block, and any thread may call them.

    Options, as keyword arguments:

    service: address of the license service; https, or http for localhost
    issuer, keys: of `GET /signing-keys`; the keys are `current` and `next`
    product: the product of the project, or the project's id
    folder: absolute path of a folder that is writable and private to the program; created if absent
    fingerprint: names this machine, 16 to 256 printable ASCII characters; derived from the
        machine id of the system if absent
    timeout: seconds for each request, from the DNS query to the last byte; 5.0 if absent
    now: the clock of a test, in seconds since 1970

    Raises LicenseError `option` for a wrong, missing or unknown one; the message names it.
    """

    def __init__(self, **options: Unpack[LicenseOptions]) -> None:
        settings = check_options(options)
        issuer, product = settings.issuer, settings.product
        self._program = Program(issuer, product, settings.keys)
        self._folder = settings.folder
        self._known_fingerprint = settings.fingerprint
        self._client = Client(settings.service, product, settings.timeout)
        self._file = StateFile(settings.folder, issuer, product, self._fingerprint)
        self._now = settings.now
        # Why the last contact with the service has changed nothing.
        self._failure: Optional[str] = None
        # The clock is wrong if a certificate was over when it was fetched.
        self._is_clock_ahead = False

    def status(self) -> Status:
        """Whether the program may run, by what is stored. Uses no network and never raises."""
        try:
            stored = self._file.read()
            now = self._now()
            status = self._judge(stored, now)
            if status.state == "valid":
                self._remember_time(stored, now)
        except Untrusted as untrusted:
            return Status(untrusted.state, reason=untrusted.reason)
        except (OSError, LicenseError):
            return Status("unreadable", reason="folder")
        if self._failure is None or status.state == "none":
            return status
        return replace(status, reason=self._failure)

    def activate(self, key: str) -> Status:
        """Binds the license to this machine unless it is bound, and stores key and certificate.

        Another stored key is replaced on success only. Raises LicenseError: `LICENSE_KEY_REQUIRED`,
        `folder`, `revoked`, `expired`, `other_machine`, one of the reasons of `refresh`, or the
        service's own code.
        """
        # Programs pass what their environment or settings hold, which may be None.
        key = key.strip() if isinstance(key, str) else ""
        if not key:
            raise LicenseError("LICENSE_KEY_REQUIRED", "Enter a license key.")
        with self._folder_errors():
            # Before anything is sent: an activation that cannot be stored would be lost.
            prove_writable(self._folder)
            self._file.read_or_nothing()
            fingerprint = self._fingerprint()
        outcome = self._certify(key, fingerprint)
        if not isinstance(outcome, Received):
            raise _error_of(outcome)
        with self._folder_errors():
            self._file.update(lambda stored: self._with_received(stored, outcome))
        self._note(outcome)
        return self.status()

    def refresh(self) -> Status:
        """Fetches a new certificate, or stores that the service rejects the license.

        Raises nothing. Without a good response nothing changes but `reason`: `no_response`,
        `timeout`, `rate_limited`, `server_error`, `not_the_service`, `unknown_key`,
        `request_rejected`, `no_certificate`, `bad_certificate`, or `folder` if the response cannot
        be stored. Once a day is enough.
        """
        try:
            key = self._file.read_or_nothing().key
            if key is not None:
                outcome = self._certify(key, self._fingerprint())
                self._file.update(lambda stored: self._with_outcome(stored, key, outcome))
                self._note(outcome)
        except (OSError, LicenseError):
            self._failure = "folder"
        return self.status()

    def request(self) -> str:
        """For a machine without a network: JSON text for the vendor to request a certificate with.

        Raises LicenseError `folder` if the machine has no id, and none can be kept in the folder.
        """
        product = self._program.product
        with self._folder_errors():
            fingerprint = self._fingerprint()
        check = hashlib.sha256(f"license-request:v1\n{product}\n{fingerprint}".encode("ascii"))
        content = {"fingerprint": fingerprint, "product": product, "check": check.hexdigest()[:8]}
        return json.dumps(content, separators=(",", ":"))

    def install(self, certificate: str) -> Status:
        """For a machine without a network: stores the certificate that the vendor sent.

        Whitespace around it is dropped. Raises LicenseError `folder`, or the reason why it is no
        certificate for this program and machine: `format`, `header`, `key`, `signature`, `issuer`,
        `claims`, `product`, `machine`.
        """
        # Some editors put a byte order mark before the text.
        text = certificate.strip().strip("\ufeff").strip() if isinstance(certificate, str) else ""
        with self._folder_errors():
            try:
                authentic = read_certificate(text, self._program, self._fingerprint())
            except Untrusted as untrusted:
                message = CERTIFICATE_MESSAGES[untrusted.reason]
                raise LicenseError(untrusted.reason, message) from None
            received = Received(text, authentic)
            self._file.update(lambda stored: self._with_received(stored, received))
        self._note(received)
        return self.status()

    def forget(self) -> None:
        """Deletes the stored key and certificate. The license stays bound to this machine.

        Raises LicenseError `folder`.
        """
        with self._folder_errors():
            self._file.delete()
        self._failure, self._is_clock_ahead = None, False

    def _fingerprint(self) -> str:
        if self._known_fingerprint is None:
            self._known_fingerprint = derive_fingerprint(self._folder, self._program.product)
        return self._known_fingerprint

    def _judge(self, stored: Stored, now: float) -> Status:
        status = judge_stored(
            stored,
            self._program,
            self._fingerprint,
            now=now,
            is_clock_ahead=self._is_clock_ahead,
        )
        if status.state == "valid":
            # The clock has been set: it counts from now on.
            self._is_clock_ahead = False
        return status

    def _remember_time(self, verified: Stored, now: float) -> None:
        if now - verified.remembered_time < REMEMBER_INTERVAL:
            return

        def remember(stored: Stored) -> Optional[Stored]:
            if stored.certificate != verified.certificate:
                return None
            return replace(stored, remembered_time=max(stored.remembered_time, int(now)))

        # The license is valid in a folder that has become read-only, too.
        with contextlib.suppress(OSError):
            self._file.update(remember)

    def _certify(self, key: str, fingerprint: str) -> Union[Received, Rejected, Failed]:
        outcome = self._client.certify(key, fingerprint)
        if not isinstance(outcome, Active):
            return outcome
        try:
            certificate = read_certificate(outcome.certificate, self._program, fingerprint)
        except Untrusted:
            return Failed("bad_certificate")
        return Received(outcome.certificate, certificate, key)

    def _with_outcome(
        self, stored: Stored, key: str, outcome: Union[Received, Rejected, Failed]
    ) -> Optional[Stored]:
        # Meanwhile another key may have been activated, or this one forgotten.
        if isinstance(outcome, Failed) or stored.key != key:
            return None
        if isinstance(outcome, Rejected):
            return replace(stored, rejection=outcome.rejection)
        return self._with_received(stored, outcome)

    def _with_received(self, stored: Stored, received: Received) -> Stored:
        fingerprint, now = self._fingerprint(), self._now()
        return with_certificate(stored, received, self._program, fingerprint, now=now)

    def _note(self, outcome: Union[Received, Rejected, Failed]) -> None:
        """Keeps in memory what the state file has no place for."""
        self._failure = outcome.reason if isinstance(outcome, Failed) else None
        if isinstance(outcome, Received):
            status = judge(
                outcome.certificate,
                rejection=None,
                now=self._now(),
                remembered_time=0,
                is_clock_ahead=outcome.key is not None,
            )
            self._is_clock_ahead = status.reason == "already_over"

    @contextlib.contextmanager
    def _folder_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            code = errno.errorcode.get(error.errno or 0, str(error))
            message = f"The folder {self._folder} cannot be used ({code})."
            raise LicenseError("folder", message) from error


def _error_of(outcome: Union[Rejected, Failed]) -> LicenseError:
    if isinstance(outcome, Rejected):
        return LicenseError(outcome.rejection, CONTACT_MESSAGES[outcome.rejection])
    code = outcome.code or outcome.reason
    message = outcome.message or CONTACT_MESSAGES.get(code, CONTACT_MESSAGES[outcome.reason])
    return LicenseError(code, message, outcome.retry_after)
