from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import List
from unittest import mock

from support import DAY, KEY, NOW, MachineTestCase, active, issue

from license_management_client import LicenseError, folder_lock


class TwoProcesses(MachineTestCase):
    def test_do_not_remember_the_clock_of_a_replaced_certificate(self) -> None:
        self.activated()

        def install_elsewhere() -> float:
            self.time = NOW + DAY
            self.license().install(issue(iat=NOW + DAY, exp=NOW + 8 * DAY))
            return NOW + 6 * DAY

        self.license(now=install_elsewhere).status()
        self.assertEqual(self.state["rememberedTime"], NOW + DAY)

    def test_remember_the_later_of_their_clocks(self) -> None:
        self.activated()

        def remember_elsewhere() -> float:
            self.time = NOW + 2 * DAY
            self.license().status()
            return NOW + DAY

        self.license(now=remember_elsewhere).status()
        self.assertEqual(self.state["rememberedTime"], NOW + 2 * DAY)

    def test_that_refresh_concurrently_leave_a_complete_file(self) -> None:
        license = self.activated()
        lock = threading.Lock()
        issued: List[str] = []

        def next_certificate(handler: BaseHTTPRequestHandler) -> None:
            with lock:
                issued.append(issue(exp=NOW + 8 * DAY + len(issued)))
                certificate = issued[-1]
            active(certificate)(handler)

        self.replies(next_certificate)
        processes = [self.refreshing_process(20) for _ in range(2)]
        while any(process.poll() is None for process in processes):
            self.assert_state(license, "valid", None)
        self.assertEqual([process.wait() for process in processes], [0, 0])
        self.assertEqual(len(issued), 40)
        self.assertIn(self.state["certificate"], issued)
        self.assert_no_temporary_files()

    def refreshing_process(self, times: int) -> "subprocess.Popen[bytes]":
        script = Path(__file__).with_name("refresh_often.py")
        arguments = [self.service.url, str(self.folder), str(times)]
        return subprocess.Popen([sys.executable, str(script), *arguments])


class Lock(MachineTestCase):
    """`license.lock` in the folder."""

    def lock(self, text: str = "of another process") -> Path:
        self.folder.mkdir(mode=0o700, exist_ok=True)
        file = self.folder / "license.lock"
        file.write_text(text)
        return file

    def test_is_removed_if_a_killed_process_left_it(self) -> None:
        self.lock()
        with mock.patch.object(folder_lock, "ABANDONED_AFTER", 0.05):
            self.assertEqual(self.license().install(issue()).state, "valid")
        self.assert_no_temporary_files()
        self.assertFalse((self.folder / "license.lock").exists())

    def test_fails_with_ebusy_if_others_hold_it_for_too_long(self) -> None:
        file = self.lock()
        with self.assertRaises(OSError) as caught:
            with folder_lock.FolderLock(self.folder).hold(timeout=0.05):
                pass
        self.assertEqual(caught.exception.errno, errno.EBUSY)
        self.assertEqual(file.read_text(), "of another process")

    def test_makes_a_change_fail_and_keeps_the_state_if_lost(self) -> None:
        license = self.activated()
        before = self.state
        real = os.fsync

        def lose(handle: int) -> None:
            real(handle)
            self.lock("taken by another process")

        with mock.patch("os.fsync", lose), self.assertRaises(LicenseError) as caught:
            license.install(issue(exp=NOW + 9 * DAY))
        self.assertEqual(caught.exception.code, "folder")
        self.assertEqual(self.state, before)
        self.assertEqual((self.folder / "license.lock").read_text(), "taken by another process")


class Threads(MachineTestCase):
    def test_with_their_own_licenses_lose_no_concurrent_change(self) -> None:
        ends = range(NOW + 1, NOW + 41)

        def install(first: int) -> None:
            license = self.license()
            for end in ends[first::2]:
                license.install(issue(exp=end))

        with ThreadPoolExecutor(2) as threads:
            # Raises exceptions from threads here.
            list(threads.map(install, range(2)))
        until = self.license().status().valid_until
        self.assertEqual(until and until.timestamp(), ends[-1])
        self.assertEqual(len(list(self.folder.iterdir())), 1)

    def test_that_share_a_license_leave_a_complete_file(self) -> None:
        license = self.activated()
        states: List[str] = []

        def use() -> None:
            for _ in range(5):
                states.append(license.refresh().state)
                states.append(license.activate(KEY).state)
                states.append(license.install(issue(exp=NOW + 8 * DAY)).state)

        threads = [threading.Thread(target=use) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(states, ["valid"] * 60)
        self.assert_no_temporary_files()
