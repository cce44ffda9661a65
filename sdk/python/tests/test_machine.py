from __future__ import annotations

import errno
import hmac
import json
import os
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any, List
from unittest import mock

from support import KEY, PRODUCT, MachineTestCase, active, issue

from license_management_client import License, LicenseError
from license_management_client import machine as machine_module

ID = "8f1c2ab7e4a9001234567890abcdef12"
OTHER_ID = "0f1c2ab7e4a9001234567890abcdef12"


def fingerprint_of(machine_id: str) -> str:
    return hmac.new(machine_id.encode(), PRODUCT.encode(), "sha256").hexdigest()


class LinuxMachineTestCase(MachineTestCase):
    """A Linux machine whose files the test writes and whose fingerprint is derived."""

    def setUp(self) -> None:
        super().setUp()
        system = tempfile.TemporaryDirectory()
        self.addCleanup(system.cleanup)
        self.machine_id = Path(system.name) / "machine-id"
        self.marker = Path(system.name) / ".dockerenv"
        self.machine_id.write_text(f"{ID}\n")
        os.environ.pop("KUBERNETES_SERVICE_HOST", None)
        for name, value in (
            ("MACHINE_ID_FILE", self.machine_id),
            ("CONTAINER_MARKERS", (self.marker,)),
        ):
            patch = mock.patch.object(machine_module, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def license(self, **options: Any) -> License:
        return super().license(**{"fingerprint": None, **options})

    def fingerprint(self, **options: Any) -> str:
        request = json.loads(self.license(**options).request())
        return str(request["fingerprint"])

    def assert_is_random(self) -> None:
        first = self.fingerprint()
        file = self.folder / "machine-id"
        self.assertEqual(self.fingerprint(), first)
        self.assertEqual(first, fingerprint_of(file.read_text()))
        self.assertRegex(file.read_text(), "^[0-9a-f]{32}$")
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)
        file.unlink()
        self.assertNotEqual(self.fingerprint(), first)
        file.unlink()


class Fingerprint(LinuxMachineTestCase):
    def test_is_an_hmac_of_the_product_keyed_with_the_system_id(self) -> None:
        self.assertEqual(self.fingerprint(), fingerprint_of(ID))
        self.assertFalse(self.folder.exists())

    def test_is_the_same_for_an_id_in_capitals_with_hyphens(self) -> None:
        self.machine_id.write_text("8F1C2AB7-E4A9-0012-3456-7890ABCDEF12")
        self.assertEqual(self.fingerprint(), fingerprint_of(ID))

    def test_is_random_if_the_id_is_missing_or_a_placeholder(self) -> None:
        for text in (
            "",
            "0" * 32,
            "f" * 32,
            "00020003000400050006000700080009",
            "03000200-0400-0500-0006-000700080009",
            "0123456789abcdef0123456789abcdef",
            ID[:-1],
            f"{ID}0",
        ):
            with self.subTest(text):
                self.machine_id.write_text(text)
                self.assert_is_random()

    def test_is_random_in_a_container(self) -> None:
        self.marker.touch()
        self.assert_is_random()

    def test_is_random_in_kubernetes(self) -> None:
        with mock.patch.dict("os.environ", {"KUBERNETES_SERVICE_HOST": "10.0.0.1"}):
            self.assert_is_random()

    def test_is_random_if_the_id_cannot_be_read(self) -> None:
        self.machine_id.write_bytes(b"\xff\xfe")
        self.assert_is_random()
        self.machine_id.unlink()
        self.assert_is_random()

    def test_is_the_same_for_two_concurrent_first_starts(self) -> None:
        self.marker.touch()
        barrier = threading.Barrier(8)
        fingerprints: List[str] = []

        def start() -> None:
            license = self.license()
            barrier.wait()
            fingerprints.append(license.request())

        threads = [threading.Thread(target=start) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(fingerprints)), 1)
        self.assertEqual([file.name for file in self.folder.iterdir()], ["machine-id"])

    def test_fails_if_the_system_id_is_temporarily_unavailable(self) -> None:
        self.machine_id.write_text("uninitialized\n")
        with self.assertRaises(LicenseError) as caught:
            self.license().request()
        self.assertEqual(caught.exception.code, "machine_id")
        self.assertIsInstance(caught.exception.__cause__, OSError)
        self.assertFalse(self.folder.exists())
        self.machine_id.write_text(ID)
        self.assertEqual(self.fingerprint(), fingerprint_of(ID))

    def test_is_queried_again_if_the_first_query_fails(self) -> None:
        real = machine_module._system_id
        failures = [OSError(errno.EIO, "input/output error")] * 2
        replies = mock.Mock(side_effect=[*failures, real()])
        with mock.patch.object(machine_module, "_system_id", replies):
            self.assertEqual(self.fingerprint(), fingerprint_of(ID))

    def test_that_cannot_be_queried_makes_the_state_unreadable_and_sends_nothing(self) -> None:
        self.replies(active(issue(fingerprint=fingerprint_of(ID))))
        self.license().activate(KEY)
        self.service.requests.clear()
        with mock.patch.object(machine_module, "_system_id", side_effect=OSError):
            self.assert_state(self.license(), "unreadable", "machine_id")
            self.assertEqual(self.license().refresh().reason, "machine_id")
            with self.assertRaises(LicenseError) as caught:
                self.license().activate(KEY)
        self.assertEqual(caught.exception.code, "machine_id")
        self.assertEqual(self.service.requests, [])
        self.assert_state(self.license(), "valid", None)

    def test_is_never_random_if_the_program_forbids_it(self) -> None:
        self.machine_id.unlink()
        with self.assertRaises(LicenseError) as caught:
            self.license(allow_random_id=False).request()
        self.assertEqual(caught.exception.code, "machine_id")
        self.machine_id.write_text(ID)
        self.assertEqual(self.fingerprint(allow_random_id=False), fingerprint_of(ID))

    def test_ignores_container_markers_on_other_systems(self) -> None:
        self.marker.touch()
        environment = mock.patch.dict("os.environ", {"KUBERNETES_SERVICE_HOST": "10.0.0.1"})
        with environment, mock.patch("sys.platform", "freebsd14"):
            self.assertEqual(self.fingerprint(), fingerprint_of(ID))

    def test_is_only_read_if_it_is_already_stored(self) -> None:
        self.marker.touch()
        first = self.fingerprint()
        with mock.patch("license_management_client.machine.write_whole", side_effect=OSError):
            self.assertEqual(self.fingerprint(), first)

    def test_is_not_stored_if_the_lock_was_lost(self) -> None:
        self.marker.touch()
        real = os.fsync

        def lose(handle: int) -> None:
            real(handle)
            (self.folder / "license.lock").write_text("of another process")

        with mock.patch("os.fsync", lose), self.assertRaises(LicenseError) as caught:
            self.license().request()
        self.assertEqual(caught.exception.code, "folder")
        self.assertEqual([file.name for file in self.folder.iterdir()], ["license.lock"])

    def test_fails_if_a_random_id_cannot_be_stored(self) -> None:
        self.marker.touch()
        self.folder.write_bytes(b"")
        with self.assertRaises(LicenseError) as caught:
            self.license().request()
        self.assertEqual(caught.exception.code, "folder")


class OtherSystems(LinuxMachineTestCase):
    """Their commands and modules are missing here, so the test replaces them."""

    def test_take_the_platform_uuid_on_macos(self) -> None:
        listing = f'  "IOPlatformUUID" = "{ID.upper()}"\n'
        result = subprocess.CompletedProcess([], 0, stdout=listing.encode())
        with mock.patch("sys.platform", "darwin"), mock.patch("subprocess.run") as run:
            run.return_value = result
            self.assertEqual(self.fingerprint(), fingerprint_of(ID))
        self.assertEqual(run.call_args.args[0][0], "/usr/sbin/ioreg")

    def test_fail_on_macos_if_the_command_fails(self) -> None:
        for failure in (FileNotFoundError(), subprocess.TimeoutExpired("ioreg", 5)):
            with mock.patch("sys.platform", "darwin"), mock.patch("subprocess.run") as run:
                run.side_effect = failure
                with self.assertRaises(LicenseError) as caught:
                    self.license().request()
            self.assertIs(caught.exception.__cause__, failure)
            self.assertFalse(self.folder.exists())

    def test_fail_on_macos_if_the_command_prints_no_id(self) -> None:
        result = subprocess.CompletedProcess([], 0, stdout=b'  "IOPlatformSerialNumber" = "X"\n')
        with mock.patch("sys.platform", "darwin"), mock.patch("subprocess.run") as run:
            run.return_value = result
            with self.assertRaises(LicenseError) as caught:
                self.license().request()
        self.assertEqual(caught.exception.code, "machine_id")
        self.assertFalse(self.folder.exists())

    def test_take_the_machine_guid_on_windows(self) -> None:
        winreg = mock.MagicMock()
        winreg.QueryValueEx.return_value = (f"{ID[:8]}-{ID[8:]}", 1)
        with mock.patch("sys.platform", "win32"), mock.patch.dict("sys.modules", winreg=winreg):
            self.assertEqual(self.fingerprint(), fingerprint_of(ID))
        self.assertEqual(winreg.QueryValueEx.call_args.args[1], "MachineGuid")

    def test_fail_on_windows_without_a_machine_guid(self) -> None:
        winreg = mock.MagicMock()
        winreg.OpenKey.side_effect = FileNotFoundError
        with mock.patch("sys.platform", "win32"), mock.patch.dict("sys.modules", winreg=winreg):
            with self.assertRaises(LicenseError) as caught:
                self.license().request()
        self.assertEqual(caught.exception.code, "machine_id")
        self.assertFalse(self.folder.exists())


class ChangedMachine(LinuxMachineTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.activate()

    def activate(self) -> None:
        self.replies(active(issue(fingerprint=fingerprint_of(ID))))
        self.license().activate(KEY)
        self.service.requests.clear()

    def test_is_another_machine_and_sends_nothing(self) -> None:
        self.machine_id.write_text(OTHER_ID)
        self.assert_state(self.license(), "other_machine", "state_file")
        self.assertEqual(self.license().refresh().state, "other_machine")
        self.assertEqual(self.service.requests, [])

    def test_is_another_machine_if_a_container_has_lost_its_random_id(self) -> None:
        self.license().forget()
        self.marker.touch()
        machine_id = json.loads(self.license().request())["fingerprint"]
        self.replies(active(issue(fingerprint=machine_id)))
        self.assertEqual(self.license().activate(KEY).state, "valid")
        (self.folder / "machine-id").unlink()
        self.assert_state(self.license(), "other_machine", "state_file")
