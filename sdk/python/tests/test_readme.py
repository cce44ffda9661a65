from __future__ import annotations

import re
import time
from pathlib import Path
from unittest import mock

from support import CURRENT, DAY, FINGERPRINT, ISSUER, KEY, NEXT, MachineTestCase
from support import activated, active, issue, reply, status

from license_management_client import LicenseError

README = (Path(__file__).resolve().parents[1] / "README.md").read_text("utf-8")
SIGNING_KEYS = {"issuer": ISSUER, "current": CURRENT.jwk, "next": NEXT.jwk}


def certificate(days: int) -> str:
    """Issued by the system's clock, which the README's program uses."""
    now = int(time.time())
    terms = {"expiresAt": "9999-12-31T23:59:59.999Z", "services": []}
    return issue(iat=now, exp=now + days * DAY, license=terms)


class Readme(MachineTestCase):
    def setUp(self) -> None:
        super().setUp()
        found = re.search(r"```python\n(import os.*?)```", README, re.DOTALL)
        assert found
        self.program = found[1]

    def start_program(self, key: str = KEY) -> None:
        program = self.program.replace("https://licenses.example", self.service.url)
        program = program.replace("/var/lib/web-shop", str(self.folder))
        derived = "license_management_client.license.derive_fingerprint"
        with mock.patch(derived, return_value=FINGERPRINT):
            with mock.patch.dict("os.environ", {"LICENSE_KEY": key}):
                exec(program, {"SIGNING_KEYS": SIGNING_KEYS})

    def install_ended(self) -> None:
        self.license(now=time.time).install(certificate(days=0))

    def test_has_a_program_of_ten_lines_at_most(self) -> None:
        self.assertLessEqual(len(self.program.splitlines()), 10)

    def test_has_a_program_that_activates_and_starts_while_the_service_is_down(self) -> None:
        self.replies(status("pending"), activated(certificate(days=7)))
        self.start_program()
        self.assertEqual(self.service.paths, ["/validate", "/validate/activate"])
        self.service.stop()
        self.start_program()

    def test_has_a_program_that_refreshes_an_expired_certificate(self) -> None:
        self.install_ended()
        self.state = {**self.state, "key": KEY}
        self.replies(active(certificate(days=7)))
        self.start_program(key="")
        self.assertEqual(self.service.paths, ["/validate"])

    def test_has_a_program_that_stops_when_its_certificate_expires(self) -> None:
        self.install_ended()
        self.replies(reply(503, b""))
        with self.assertRaises(LicenseError) as caught:
            self.start_program()
        self.assertEqual(caught.exception.code, "server_error")

    def test_has_a_program_that_does_not_run_if_the_clock_is_wrong(self) -> None:
        self.replies(active(certificate(days=0)))
        with self.assertRaisesRegex(SystemExit, "not licensed: clock"):
            self.start_program()

    def test_has_a_program_that_accepts_another_key_once_the_first_is_revoked(self) -> None:
        self.install_ended()
        self.state = {**self.state, "key": KEY}
        self.replies(status("revoked"), active(certificate(days=7)))
        self.start_program(key="another key")
        keys = [body["key"] for _, body in self.service.requests]
        self.assertEqual(keys, [KEY, "another key"])
        self.assertEqual(self.state["key"], "another key")
        self.assertIsNone(self.state["rejection"])

    def test_has_a_program_that_activates_again_if_its_state_file_is_unusable(self) -> None:
        self.replies(active(certificate(days=7)))
        for change in ({"version": 0}, {"machine": "another"}):
            with self.subTest(change=change):
                self.install_ended()
                self.state = {**self.state, **change}
                self.service.requests.clear()
                self.start_program()
                self.assertEqual(self.service.paths, ["/validate"])
