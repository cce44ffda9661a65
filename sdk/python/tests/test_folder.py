from __future__ import annotations

import contextlib
import os
import resource
import stat
import tempfile
from pathlib import Path
from typing import Iterator
from unittest import mock

from support import DAY, KEY, NOW, MachineTestCase, active, issue, reply, signed_status

from license_management_client import LicenseError

NOBODY = 65_534


@contextlib.contextmanager
def full_disk() -> Iterator[None]:
    """Limits every file to 100 bytes."""
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


@contextlib.contextmanager
def unprivileged() -> Iterator[None]:
    """Permissions do not restrict root."""
    user = os.geteuid()
    if user == 0:
        # Only root may be able to reach the temporary folder of a run.
        temporary = Path(tempfile.gettempdir())
        temporary.chmod(stat.S_IMODE(temporary.stat().st_mode) | 0o011)
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(user)


class Folder(MachineTestCase):
    def assert_activation_fails_before_a_request(self) -> LicenseError:
        self.service.requests.clear()
        self.replies(active(issue()))
        with self.assertRaises(LicenseError) as caught:
            self.license().activate(KEY)
        self.assertEqual(caught.exception.code, "folder")
        self.assertEqual(self.service.requests, [])
        return caught.exception

    def test_that_is_a_file_is_unreadable(self) -> None:
        self.folder.write_bytes(b"")
        self.assert_state(self.license(), "unreadable", "folder")
        self.assert_activation_fails_before_a_request()
        self.assertEqual(self.license().refresh().state, "unreadable")
        with self.assertRaisesRegex(LicenseError, str(self.folder)):
            self.license().install(issue())
        with self.assertRaisesRegex(LicenseError, str(self.folder)):
            self.license().forget()

    def test_with_a_folder_instead_of_the_state_file_is_unreadable(self) -> None:
        self.activated()
        path = self.state_file
        path.unlink()
        path.mkdir()
        self.assert_state(self.license(), "unreadable", "folder")
        self.assert_activation_fails_before_a_request()

    def test_on_a_full_disk_keeps_the_license(self) -> None:
        license = self.activated()
        before = self.state_file.read_bytes()
        self.time = NOW + DAY
        self.replies(active(issue(exp=NOW + 8 * DAY)))
        with full_disk():
            self.assert_state(license, "valid", None)
            self.assertEqual(license.refresh().reason, "folder")
            self.assert_state(license, "valid", "folder")
        self.assertEqual(self.state_file.read_bytes(), before)
        self.assert_no_temporary_files()
        self.assertEqual(license.refresh().reason, None)

    def test_on_a_full_disk_fails_an_activation_before_a_request(self) -> None:
        with full_disk():
            error = self.assert_activation_fails_before_a_request()
        self.assertIn("cannot be used (EFBIG)", error.message)
        self.assert_no_temporary_files()

    def test_on_a_full_disk_fails_an_installation(self) -> None:
        with full_disk(), self.assertRaises(LicenseError) as caught:
            self.license().install(issue())
        self.assertEqual(caught.exception.code, "folder")
        self.assert_no_temporary_files()
        self.assert_state(self.license(), "none", None)

    def test_that_is_read_only_keeps_a_valid_license(self) -> None:
        license = self.activated()
        self.folder.parent.chmod(0o755)
        self.folder.chmod(0o555)
        self.state_file.chmod(0o444)
        self.time = NOW + DAY
        self.replies(active(issue(exp=NOW + 8 * DAY)))
        with unprivileged():
            self.assert_state(license, "valid", None)
            self.assertEqual(license.refresh().reason, "folder")
            self.replies(reply(503, b""))
            self.assertEqual(license.refresh().reason, "server_error")
            self.assert_activation_fails_before_a_request()
            with self.assertRaises(LicenseError):
                license.forget()
        self.assert_state(self.license(), "valid", None)

    def test_that_is_read_only_keeps_a_rejection_in_memory(self) -> None:
        self.activated()
        license = self.license()
        with mock.patch("os.replace", side_effect=PermissionError(13, "denied")):
            self.replies(signed_status("revoked"))
            self.assertEqual(license.refresh().state, "revoked")
            self.assert_state(license, "revoked", "folder")
            self.assert_state(self.license(), "valid", None)
        self.replies(active(issue()))
        license.refresh()
        self.assert_state(license, "valid", None)

    def test_without_read_permission_is_unreadable(self) -> None:
        self.activated()
        self.folder.parent.chmod(0o755)
        self.folder.chmod(0)
        with unprivileged():
            self.assert_state(self.license(), "unreadable", "folder")

    def test_is_created_with_its_parents(self) -> None:
        folder = self.folder / "of" / "the program"
        self.license(folder=str(folder)).install(issue())
        self.assert_state(self.license(folder=folder), "valid", None)

    def test_is_empty_once_the_license_is_forgotten(self) -> None:
        license = self.activated()
        license.forget()
        self.assertEqual(list(self.folder.iterdir()), [])
        self.assert_state(license, "none", None)
        license.forget()
