from __future__ import annotations

import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import ContextManager, List
from unittest import mock

from support import DAY, KEY, NOW, MachineTestCase, active, issue, status


class TwoProcesses(MachineTestCase):
    def test_keep_the_later_certificate_if_the_other_refreshes_before_the_response(self) -> None:
        license = self.activated()
        later = issue(exp=NOW + 9 * DAY)

        def refresh_elsewhere(handler: BaseHTTPRequestHandler) -> None:
            self.replies(active(later))
            self.license().refresh()
            active(issue(exp=NOW + 8 * DAY))(handler)

        self.replies(refresh_elsewhere)
        license.refresh()
        self.assertEqual(self.state["certificate"], later)

    def test_keep_the_later_certificate_if_the_other_refreshes_during_the_write(self) -> None:
        license = self.activated()
        later = issue(exp=NOW + 9 * DAY)
        self.replies(active(issue(exp=NOW + 8 * DAY)), active(later))
        with self.refreshing_elsewhere_during_the_first_write():
            license.refresh()
        self.assertEqual(self.state["certificate"], later)

    def test_do_not_lose_a_rejection_to_a_status_call(self) -> None:
        license = self.activated()
        self.time = NOW + DAY
        self.replies(status("revoked"))
        with self.refreshing_elsewhere_during_the_first_write():
            license.status()
        self.assert_state(license, "revoked", "rejected")

    def test_do_not_remember_the_clock_of_a_certificate_that_is_replaced_meanwhile(self) -> None:
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

    def test_that_refresh_at_once_leave_a_whole_file(self) -> None:
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

    def refreshing_elsewhere_during_the_first_write(self) -> ContextManager[object]:
        real = os.fsync

        def refresh_elsewhere(handle: int) -> None:
            real(handle)
            fsync.side_effect = real
            self.license().refresh()

        fsync = mock.Mock(side_effect=refresh_elsewhere)
        return mock.patch("os.fsync", fsync)

    def refreshing_process(self, times: int) -> "subprocess.Popen[bytes]":
        script = Path(__file__).with_name("refresh_often.py")
        arguments = [self.service.url, str(self.folder), str(times)]
        return subprocess.Popen([sys.executable, str(script), *arguments])


class Threads(MachineTestCase):
    def test_that_use_one_license_at_once_leave_a_whole_file(self) -> None:
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
