from __future__ import annotations

import json
from typing import Any
from unittest import mock

from support import (
    DAY,
    FINGERPRINT,
    FOREIGN,
    KEY,
    NOW,
    PRODUCT,
    MachineTestCase,
    issue,
)

from license_management_client import LicenseError


class AirGapped(MachineTestCase):
    def setUp(self) -> None:
        super().setUp()
        network = mock.patch("socket.socket", side_effect=AssertionError("no network"))
        network.start()
        self.addCleanup(network.stop)

    def fails(self, code: str, certificate: Any) -> None:
        with self.assertRaises(LicenseError) as caught:
            self.license().install(certificate)
        self.assertEqual(caught.exception.code, code)

    def test_takes_a_machine_from_its_request_to_a_valid_license(self) -> None:
        license = self.license()
        request = json.loads(license.request())
        certificate = issue(fingerprint=request["fingerprint"], exp=NOW + 300 * DAY)
        status = license.install(f"\n  {certificate}\r\n")
        self.assertEqual((status.state, status.services), ("valid", ["Hosting"]))
        self.assertEqual(self.state["certificate"], certificate)
        self.assertIsNone(self.state["key"])

    def test_installs_the_text_of_a_file_with_a_byte_order_mark(self) -> None:
        self.assertEqual(self.license().install(f"\ufeff{issue()}\r\n").state, "valid")

    def test_requests_with_a_check_against_typing_errors(self) -> None:
        self.assertEqual(
            json.loads(self.license().request()),
            {"fingerprint": FINGERPRINT, "product": PRODUCT, "check": "e9c3dfb8"},
        )

    def test_installs_only_what_is_for_this_program_on_this_machine(self) -> None:
        good = issue()
        for code, certificate in [
            ("format", ""),
            ("format", good[:-1]),
            ("format", None),
            ("format", 1),
            ("format", good.encode()),
            ("format", object()),
            ("format", good.replace(".", ".\n")),
            ("header", f"e30{good[good.index('.'):]}"),
            ("key", FOREIGN.issue()),
            ("signature", f"{good.rpartition('.')[0]}."),
            ("issuer", issue(iss="another")),
            ("claims", issue(exp="soon")),
            ("product", issue(aud="another")),
            ("machine", issue(fingerprint="of another machine")),
        ]:
            with self.subTest(code):
                self.fails(code, certificate)
                self.assert_state(self.license(), "none", None)

    def test_keeps_the_later_of_two_certificates(self) -> None:
        later = issue(exp=NOW + 300 * DAY)
        for first, second in [(later, issue()), (issue(), later), (later, later)]:
            with self.subTest():
                self.license().install(first)
                self.license().install(second)
                self.assertEqual(self.state["certificate"], later)
                self.license().forget()

    def test_takes_the_newer_of_two_certificates_that_end_at_the_same_time(self) -> None:
        newer = issue(iat=NOW + 1)
        self.license().install(issue())
        self.license().install(newer)
        self.assertEqual(self.state["certificate"], newer)

    def test_takes_the_certificate_of_another_license_even_if_it_is_shorter(self) -> None:
        other = issue(sub="another", exp=NOW + DAY)
        self.license().install(issue())
        self.license().install(other)
        self.assertEqual(self.state["certificate"], other)

    def test_keeps_the_key_of_the_same_license_only(self) -> None:
        self.license().install(issue())
        self.state = {**self.state, "key": KEY}
        self.license().install(issue(exp=NOW + 8 * DAY))
        self.assertEqual(self.state["key"], KEY)
        self.license().install(issue(sub="another"))
        self.assertIsNone(self.state["key"])

    def test_heals_a_rejected_license(self) -> None:
        self.license().install(issue())
        self.state = {**self.state, "rejection": "revoked"}
        self.assertEqual(self.license().install(issue(iat=NOW + 1)).state, "valid")

    def test_says_that_an_installed_certificate_has_ended(self) -> None:
        self.time = NOW + 8 * DAY
        status = self.license().install(issue())
        self.assertEqual((status.state, status.reason), ("ended", "certificate_ended"))

    def test_runs_until_the_certificate_ends_without_a_network(self) -> None:
        license = self.license()
        license.install(issue(exp=NOW + 100 * DAY))
        for day in range(100):
            self.time = NOW + day * DAY
            self.assertEqual(license.refresh().state, "valid")
        self.time = NOW + 100 * DAY
        self.assertEqual(license.refresh().state, "ended")
