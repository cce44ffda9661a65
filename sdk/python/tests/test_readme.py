from __future__ import annotations

import re
import time
from pathlib import Path
from unittest import mock

from support import CURRENT, DAY, FINGERPRINT, ISSUER, KEY, NEXT, MachineTestCase
from support import active, issue, reply, status

README = (Path(__file__).resolve().parents[1] / "README.md").read_text("utf-8")
SIGNING_KEYS = {"issuer": ISSUER, "current": CURRENT.jwk, "next": NEXT.jwk}


def certificate(days: int) -> str:
    """Issued by the clock of the system, which the program of the README goes by."""
    now = int(time.time())
    terms = {"expiresAt": "9999-12-31T23:59:59.999Z", "services": []}
    return issue(iat=now, exp=now + days * DAY, license=terms)


class Readme(MachineTestCase):
    def start_program(self) -> None:
        found = re.search(r"```python\n(import os.*?)```", README, re.DOTALL)
        assert found
        program = found[1].replace("https://licenses.example", self.service.url)
        program = program.replace("/var/lib/web-shop", str(self.folder))
        derived = "license_management_client.license.derive_fingerprint"
        with mock.patch(derived, return_value=FINGERPRINT):
            with mock.patch.dict("os.environ", {"LICENSE_KEY": KEY}):
                exec(program, {"SIGNING_KEYS": SIGNING_KEYS})

    def test_has_a_program_of_ten_lines_that_starts_while_the_service_is_down(self) -> None:
        self.replies(status("pending"), active(certificate(days=7)))
        self.start_program()
        self.assertEqual(self.service.paths, ["/validate", "/validate/activate"])
        self.service.stop()
        self.start_program()

    def test_has_a_program_that_refreshes_a_certificate_that_has_ended(self) -> None:
        self.replies(active(certificate(days=0)), active(certificate(days=7)))
        self.start_program()
        self.assertEqual(len(self.service.requests), 2)

    def test_has_a_program_that_does_not_run_once_its_certificate_has_ended(self) -> None:
        self.replies(active(certificate(days=0)), reply(503, b""))
        with self.assertRaisesRegex(SystemExit, "not licensed: server_error"):
            self.start_program()
