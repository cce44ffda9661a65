"""The license of a program on this machine."""

from __future__ import annotations

import contextlib
import re
from dataclasses import replace
from typing import Callable, Iterator, Optional

from .client import Client, Failed, Rejected, Released
from .errors import CERTIFICATE_MESSAGES, LicenseError, folder_error, reason_of
from .keep_fresh import KeepFresh
from .machine import derive_fingerprint, request_text
from .memory import Memory
from .options import LicenseOptions, Unpack, check_options
from .reply_error import error_of
from .state_file import StateFile
from .stored_state import (
    Received,
    Stored,
    is_leased,
    judge_stored,
    license_of,
    with_certificate,
    with_time,
)
from .status import Status, status_of
from .verification import Program, Untrusted, read_certificate
from .verified_reply import Outcome, Sender, verify_reply, with_outcome

# Seconds between writes of the remembered time, because frequent calls of status() must spare the disk.
REMEMBER_INTERVAL = 3600


class License:
    """The license of one product on this machine. Its methods block. Any thread may call them.

    Its options are keyword arguments: see `LicenseOptions`.

    Raises LicenseError `option` for a wrong, missing or unknown option; the message names it.
    """

    def __init__(self, **options: Unpack[LicenseOptions]) -> None:
        settings = check_options(options)
        issuer, product = settings.issuer, settings.product
        self._program = Program(issuer, product, settings.keys, settings.released_at)
        self._folder = settings.folder
        self._known_fingerprint = settings.fingerprint
        self._allow_random_id = settings.allow_random_id
        service, name, timeout = settings.service, settings.machine_name, settings.timeout
        self._client = Client(service, product, name, timeout, settings.transport)
        self._file = StateFile(settings.folder, issuer, product, self._fingerprint)
        self._now = settings.now
        self._memory = Memory()

    def status(self) -> Status:
        """Whether the program may run, according to the stored state. Uses no network and never raises."""
        try:
            stored = self._memory.with_unstored(self._file.read())
            now = self._now()
            status = self._judge(stored, now)
            if status.is_valid:
                self._remember_time(stored, now)
        except Untrusted as untrusted:
            return status_of(untrusted.state, untrusted.reason)
        except (OSError, LicenseError) as error:
            return status_of("unreadable", reason_of(error))
        if self._memory.failure is None or status.state == "none":
            return status
        return replace(status, reason=self._memory.failure)

    def ensure(self, key: Optional[str] = None) -> Status:
        """Call this when the program starts. Does nothing if the license is valid.

        Otherwise refreshes it or extends its lease. If that does not help, activates the key.
        Without a key or with a blank one, it activates nothing and raises nothing. With a key, it raises what `activate` raises.
        """
        status = self.status()
        if not status.is_valid:
            status = self._refresh_or_beat()
        is_given = isinstance(key, str) and key.strip()
        return self.activate(key) if key and is_given and not status.is_valid else status

    def activate(self, key: str) -> Status:
        """Takes a free seat for this machine unless it holds one, and stores the key and certificate.

        A different stored key is replaced only on success. Raises LicenseError: `LICENSE_KEY_REQUIRED`,
        `folder`, `revoked`, `expired`, `suspended`, `other_machine`, one of the reasons of
        `refresh`, or the service's own code, such as `MACHINE_LIMIT_REACHED`.
        """
        # Programs pass a value from their environment or settings, which may be None.
        key = key.strip() if isinstance(key, str) else ""
        if not key:
            raise LicenseError("LICENSE_KEY_REQUIRED", "Enter a license key.")
        with self._folder_errors():
            # Checked before anything is sent, because an activation that cannot be stored would be lost.
            self._file.prove_writable()
            self._file.read_or_nothing()
            sender = self._sender(key)
        reply = self._client.activate(key, sender.fingerprint)
        outcome = verify_reply(reply, self._program, sender)
        if not isinstance(outcome, Received):
            raise error_of(outcome, key)
        with self._folder_errors():
            self._file.update(lambda stored: self._with_received(stored, outcome))
        self._memory.note(outcome, self._now())
        return self.status()

    def refresh(self) -> Status:
        """Fetches a new certificate, or stores the service's rejection of the license.

        Never raises. Without a valid response, only `reason` changes: `no_response`,
        `untrusted_server`, `timeout`, `rate_limited`, `server_error`, `not_the_service`, `unknown_key`,
        `request_rejected`, `no_certificate`, `bad_certificate`, or `folder` if the response cannot
        be stored. Never takes a released seat again. Once a day is enough. For a license with leases, only `heartbeat` fetches certificates.
        """
        try:
            key = self._file.read_or_nothing().key
            if key is not None:
                sender = self._sender(key)
                reply = self._client.refresh(key, sender.fingerprint)
                self._store(key, verify_reply(reply, self._program, sender))
        except (OSError, LicenseError) as error:
            self._memory.failure = reason_of(error)
        return self.status()

    def keep_fresh(
        self, on_change: Optional[Callable[[Status], None]] = None
    ) -> Callable[[], None]:
        """Refreshes as often as the certificate requires, even after a laptop has slept.

        For a floating license, sends heartbeats. Runs on a thread that does not keep the program running.

        on_change: called on that thread with the first status and whenever the state changes

        Returns a function that stops it.
        """
        keeping = KeepFresh(self._now, self.status, self._refresh_or_beat, on_change)
        keeping.start()
        return keeping.stop

    def heartbeat(self) -> Status:
        """For a floating license: extends this machine's lease or takes a free seat.

        Stores the new certificate. Three times per lease is enough. Raises LicenseError as for `activate`, or `LICENSE_HAS_NO_LEASES`, `LICENSE_NOT_ACTIVATED`.
        """
        sender = self._sender(self._stored_key())
        key, fingerprint, _ = sender
        reply = self._client.heartbeat(key, fingerprint)
        outcome = verify_reply(reply, self._program, sender)
        if not isinstance(outcome, Failed):
            with self._folder_errors():
                self._store(key, outcome)
        if not isinstance(outcome, Received):
            raise error_of(outcome)
        return self.status()

    def release(self) -> Status:
        """Releases this machine's seat and deletes the stored key and certificate.

        They are deleted even if the machine holds no seat. Raises LicenseError:
        `LICENSE_KEY_REQUIRED`, `folder`, one of the reasons of `refresh`, or the service's own
        code, such as `RELEASE_NOT_ALLOWED`, `RELEASE_LIMIT_REACHED`, `CERTIFICATE_OUTSTANDING`
        or `MACHINE_NOT_FOUND`.
        """
        key, fingerprint, _ = self._sender(self._stored_key())
        with self._folder_errors():
            # A certificate that cannot be deleted would act as a second seat.
            self._file.prove_writable()
        outcome = self._client.release(key, fingerprint)
        if isinstance(outcome, Released) or outcome.code == "MACHINE_NOT_FOUND":
            with self._folder_errors():
                self._file.delete_if(lambda stored: stored.key == key)
            self._memory.clear()
        if not isinstance(outcome, Released):
            raise error_of(outcome)
        return self.status()

    def request(self) -> str:
        """For an offline machine: returns the JSON text that the vendor needs to issue a certificate.

        Raises LicenseError `folder` if the machine has no id and none can be stored in the folder.
        """
        product = self._program.product
        with self._folder_errors():
            fingerprint = self._fingerprint()
        return request_text(product, fingerprint)

    def install(self, certificate: str) -> Status:
        """For an offline machine: stores the certificate that the vendor sent.

        Works even if a mail program has wrapped it. Raises LicenseError `folder`, or why the text is not a certificate for this program and machine: `format`, `header`, `key`, `signature`, `issuer`,
        `claims`, `product`, `machine`.
        """
        text = re.sub(r"[^A-Za-z0-9._-]", "", certificate) if isinstance(certificate, str) else ""
        with self._folder_errors():
            try:
                authentic = read_certificate(text, self._program, self._fingerprint())
            except Untrusted as untrusted:
                message = CERTIFICATE_MESSAGES[untrusted.reason]
                raise LicenseError(untrusted.reason, message) from None
            received = Received(text, authentic)
            self._file.update(lambda stored: self._with_received(stored, received))
        self._memory.note(received, self._now())
        return self.status()

    def forget(self) -> None:
        """Deletes the stored key and certificate. The license stays bound to this machine.

        Raises LicenseError `folder`.
        """
        with self._folder_errors():
            self._file.delete()
        self._memory.clear()

    def _refresh_or_beat(self) -> Status:
        # The refresh reports a suppressed error.
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

    def _stored_key(self) -> str:
        """Raises LicenseError."""
        with self._folder_errors():
            key = self._file.read_or_nothing().key
            if key is None:
                message = "No license key is stored. Activate one first."
                raise LicenseError("LICENSE_KEY_REQUIRED", message)
            return key

    def _judge(self, stored: Stored, now: float) -> Status:
        is_ahead = self._memory.is_clock_ahead
        status = judge_stored(
            stored, self._program, self._fingerprint, now=now, is_clock_ahead=is_ahead
        )
        if status.is_valid:
            # The clock has been set, so the interval restarts now.
            self._memory.is_clock_ahead = False
        return status

    def _remember_time(self, verified: Stored, now: float) -> None:
        if now - verified.remembered_time < REMEMBER_INTERVAL:
            return

        # The license stays valid in a read-only folder, and while another process holds the lock.
        with contextlib.suppress(OSError):
            self._file.update(lambda stored: with_time(stored, verified, now), timeout=0)

    def _sender(self, key: str) -> Sender:
        """Raises LicenseError `folder`."""
        with self._folder_errors():
            fingerprint = self._fingerprint()

        def stored_license() -> Optional[str]:
            with self._folder_errors():
                stored = self._file.read_or_nothing()
            is_of_key = stored.key == key
            return license_of(stored, self._program, fingerprint) if is_of_key else None

        return Sender(key, fingerprint, stored_license)

    def _store(self, key: str, outcome: Outcome) -> None:
        if isinstance(outcome, Rejected):
            # Until it is stored.
            self._memory.unstored = key, outcome
        self._file.update(
            lambda stored: with_outcome(
                self._memory.with_unstored(stored),
                *(key, outcome, self._program, self._fingerprint()),
                now=self._now(),
            )
        )
        self._memory.note(outcome, self._now())

    def _with_received(self, stored: Stored, received: Received) -> Stored:
        fingerprint, now = self._fingerprint(), self._now()
        before = self._memory.with_unstored(stored)
        return with_certificate(before, received, self._program, fingerprint, now=now)

    @contextlib.contextmanager
    def _folder_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise folder_error(self._folder, error) from error
