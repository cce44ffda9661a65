"""The license of a program on this machine."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Callable, Iterator, Optional, Tuple, Union, overload

from .client import Active, Client, Failed, Leased, Rejected, Released
from .errors import CERTIFICATE_MESSAGES, LicenseError
from .keep_fresh import KeepFresh
from .machine import derive_fingerprint
from .options import LicenseOptions, check_options
from .rejection import proven_at
from .reply_error import error_of
from .state_file import StateFile
from .stored_state import (
    Received,
    Stored,
    is_leased,
    judge_stored,
    license_of,
    restore_leased,
    with_certificate,
)
from .verification import Program, Status, Untrusted, judge, read_certificate

if sys.version_info >= (3, 11):
    from typing import Unpack
elif TYPE_CHECKING:
    # Type checkers bring it.
    from typing_extensions import Unpack
else:

    class Unpack:
        """For get_type_hints."""

        def __class_getitem__(cls, options: object) -> object:
            return options


# Seconds between two writes of the remembered time: frequent calls of status() must spare the disk.
REMEMBER_INTERVAL = 3600

Outcome = Union[Received, Leased, Rejected, Failed]


class License:
    """The license of one product on this machine. Its methods block, and any thread may call them.

    Options, as keyword arguments:

    service: address of the license service; https, or http for localhost
    issuer, keys: of `GET /signing-keys`; the keys are `current` and `next`
    product: the product of the project, or the project's id
    folder: absolute path of a folder that is writable and private to the program; created if absent
    fingerprint: names this machine, 16 to 256 printable ASCII characters; derived from the
        machine id of the system if absent
    machine_name: the name that the vendor sees for this machine, 1 to 100 characters
    allow_random_id: whether a machine without an id of its own may get a random one, which is
        kept in the folder; True if absent
    transport: sends the requests, in place of urllib; see `Transport`
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
        self._allow_random_id = settings.allow_random_id
        self._client = Client(
            settings.service,
            product,
            settings.machine_name,
            settings.timeout,
            settings.transport,
        )
        self._file = StateFile(settings.folder, issuer, product, self._fingerprint)
        self._now = settings.now
        # Why the last contact with the service has changed nothing.
        self._failure: Optional[str] = None
        # The clock is wrong if a certificate was over when it was fetched.
        self._is_clock_ahead = False
        # A rejection that could not be stored, of the license of its key.
        self._unstored: Optional[Tuple[str, Rejected]] = None

    def status(self) -> Status:
        """Whether the program may run, by what is stored. Uses no network and never raises."""
        try:
            stored = self._with_unstored(self._file.read())
            now = self._now()
            status = self._judge(stored, now)
            if status.state == "valid":
                self._remember_time(stored, now)
        except Untrusted as untrusted:
            return Status(untrusted.state, reason=untrusted.reason)
        except (OSError, LicenseError) as error:
            return Status("unreadable", reason=_reason_of(error))
        if self._failure is None or status.state == "none":
            return status
        return replace(status, reason=self._failure)

    def activate(self, key: str) -> Status:
        """Takes a free place for this machine unless it has one, and stores key and certificate.

        Another stored key is replaced on success only. Raises LicenseError: `LICENSE_KEY_REQUIRED`,
        `folder`, `revoked`, `expired`, `suspended`, `other_machine`, one of the reasons of
        `refresh`, or the service's own code, such as `MACHINE_LIMIT_REACHED`.
        """
        # Programs pass what their environment or settings hold, which may be None.
        key = key.strip() if isinstance(key, str) else ""
        if not key:
            raise LicenseError("LICENSE_KEY_REQUIRED", "Enter a license key.")
        with self._folder_errors():
            # Before anything is sent: an activation that cannot be stored would be lost.
            self._file.prove_writable()
            self._file.read_or_nothing()
            fingerprint = self._fingerprint()
        outcome = self._receive(key, fingerprint, self._client.activate(key, fingerprint))
        if not isinstance(outcome, Received):
            raise error_of(outcome)
        with self._folder_errors():
            self._file.update(lambda stored: self._with_received(stored, outcome))
        self._note(outcome)
        return self.status()

    def refresh(self) -> Status:
        """Fetches a new certificate, or stores that the service rejects the license.

        Raises nothing. Without a good response nothing changes but `reason`: `no_response`,
        `timeout`, `rate_limited`, `server_error`, `not_the_service`, `unknown_key`,
        `request_rejected`, `no_certificate`, `bad_certificate`, or `folder` if the response cannot
        be stored. Takes no place that was released. Once a day is enough. For a license with
        leases only `heartbeat` fetches certificates.
        """
        try:
            key = self._file.read_or_nothing().key
            if key is not None:
                fingerprint = self._fingerprint()
                reply = self._client.refresh(key, fingerprint)
                outcome = self._receive(key, fingerprint, reply)
                self._store(key, outcome)
        except (OSError, LicenseError) as error:
            self._failure = _reason_of(error)
        return self.status()

    def keep_fresh(
        self, on_change: Optional[Callable[[Status], None]] = None
    ) -> Callable[[], None]:
        """Refreshes as often as the certificate needs it, also after a laptop has slept.

        A floating license by heartbeats. A thread does it, which keeps no program running.

        on_change: is called in that thread with the first status, and whenever the state changes

        Returns a function that ends it.
        """
        keeping = KeepFresh(self._now, self.status, self._refresh_or_beat, on_change)
        keeping.start()
        return keeping.stop

    def heartbeat(self) -> Status:
        """For a floating license: extends the lease of this machine, or takes a free place.

        Stores the new certificate. Three times in each lease are enough. Raises LicenseError as
        `activate`, or `LICENSE_HAS_NO_LEASES`, `LICENSE_NOT_ACTIVATED`.
        """
        key, fingerprint = self._stored_key()
        outcome = self._receive(key, fingerprint, self._client.heartbeat(key, fingerprint))
        if not isinstance(outcome, Failed):
            with self._folder_errors():
                self._store(key, outcome)
        if not isinstance(outcome, Received):
            raise error_of(outcome)
        return self.status()

    def release(self) -> Status:
        """Gives up the place of this machine, and deletes the stored key and certificate.

        They are deleted if the machine has no place, too. Raises LicenseError:
        `LICENSE_KEY_REQUIRED`, `folder`, one of the reasons of `refresh`, or the service's own
        code, such as `RELEASE_NOT_ALLOWED`, `RELEASE_LIMIT_REACHED`, `CERTIFICATE_OUTSTANDING`
        or `MACHINE_NOT_FOUND`.
        """
        key, fingerprint = self._stored_key()
        with self._folder_errors():
            # A certificate that cannot be deleted would be a second place.
            self._file.prove_writable()
        outcome = self._client.release(key, fingerprint)
        is_released = isinstance(outcome, Released)
        if is_released or outcome.code == "MACHINE_NOT_FOUND":
            with self._folder_errors():
                self._file.delete_if(lambda stored: stored.key == key)
            self._forget_memory()
        if not isinstance(outcome, Released):
            raise error_of(outcome)
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
        self._forget_memory()

    def _forget_memory(self) -> None:
        self._failure, self._is_clock_ahead, self._unstored = None, False, None

    def _refresh_or_beat(self) -> Status:
        # Of an error that is suppressed, the refresh says why.
        with contextlib.suppress(OSError, LicenseError):
            stored = self._file.read_or_nothing()
            if stored.key is not None and is_leased(stored, self._program, self._fingerprint()):
                return self.heartbeat()
        return self.refresh()

    def _fingerprint(self) -> str:
        if self._known_fingerprint is None:
            self._known_fingerprint = derive_fingerprint(
                self._folder, self._program.product, allow_random_id=self._allow_random_id
            )
        return self._known_fingerprint

    def _stored_key(self) -> Tuple[str, str]:
        """The stored key and the fingerprint. Raises LicenseError."""
        with self._folder_errors():
            key = self._file.read_or_nothing().key
            if key is None:
                message = "No license key is stored: activate one first."
                raise LicenseError("LICENSE_KEY_REQUIRED", message)
            return key, self._fingerprint()

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
        # Another process may have the lock: then the next call writes it.
        with contextlib.suppress(OSError):
            self._file.update(remember, timeout=0)

    @overload
    def _receive(
        self, key: str, fingerprint: str, reply: Union[Active, Rejected, Failed]
    ) -> Union[Received, Rejected, Failed]: ...

    @overload
    def _receive(
        self, key: str, fingerprint: str, reply: Union[Active, Leased, Rejected, Failed]
    ) -> Outcome: ...

    def _receive(
        self, key: str, fingerprint: str, reply: Union[Active, Leased, Rejected, Failed]
    ) -> Outcome:
        """Verifies the certificate of a reply."""
        if isinstance(reply, Rejected):
            return self._verify_rejection(key, fingerprint, reply)
        if not isinstance(reply, Active):
            return reply
        try:
            certificate = read_certificate(reply.certificate, self._program, fingerprint)
        except Untrusted:
            return Failed("bad_certificate")
        return Received(reply.certificate, certificate, key)

    def _verify_rejection(
        self, key: str, fingerprint: str, reply: Rejected
    ) -> Union[Rejected, Failed]:
        with self._folder_errors():
            stored = self._file.read_or_nothing()
        is_of_key = stored.key == key
        license_id = license_of(stored, self._program, fingerprint) if is_of_key else None
        rejected_at = proven_at(
            reply.proof, reply.rejection, self._program, fingerprint, license_id=license_id
        )
        if rejected_at is None:
            return Failed("unproved", reply.code or reply.rejection, reply.message)
        return reply._replace(rejected_at=rejected_at)

    def _store(self, key: str, outcome: Outcome) -> None:
        if isinstance(outcome, Rejected):
            # Until it is stored.
            self._unstored = key, outcome
        self._file.update(lambda stored: self._with_outcome(stored, key, outcome))
        self._note(outcome)

    def _with_unstored(self, stored: Stored) -> Stored:
        if self._unstored is None or self._unstored[0] != stored.key:
            return stored
        _, rejected = self._unstored
        return replace(stored, rejection=rejected.rejection, rejected_at=rejected.rejected_at)

    def _with_outcome(self, stored: Stored, key: str, outcome: Outcome) -> Optional[Stored]:
        # Meanwhile another key may have been activated, or this one forgotten.
        if isinstance(outcome, Failed) or stored.key != key:
            return None
        if isinstance(outcome, Rejected):
            rejection, rejected_at = outcome.rejection, outcome.rejected_at
            return replace(stored, rejection=rejection, rejected_at=rejected_at)
        if isinstance(outcome, Leased):
            return restore_leased(stored, self._program, self._fingerprint())
        return self._with_received(stored, outcome)

    def _with_received(self, stored: Stored, received: Received) -> Stored:
        fingerprint, now = self._fingerprint(), self._now()
        return with_certificate(stored, received, self._program, fingerprint, now=now)

    def _note(self, outcome: Outcome) -> None:
        """Keeps in memory what the state file has no place for."""
        self._failure = outcome.reason if isinstance(outcome, Failed) else None
        if not isinstance(outcome, Failed):
            self._unstored = None
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


def _reason_of(error: Exception) -> str:
    """Why nothing could be read or stored."""
    is_of_machine = isinstance(error, LicenseError) and error.code == "machine_id"
    return "machine_id" if is_of_machine else "folder"
