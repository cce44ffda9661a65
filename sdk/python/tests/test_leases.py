from __future__ import annotations

from http.server import BaseHTTPRequestHandler
from unittest import mock

from support import (
    DAY,
    FINGERPRINT,
    FOREIGN,
    KEY,
    LEASE,
    NOW,
    PRODUCT,
    MachineTestCase,
    Reply,
    activated,
    active,
    issue,
    lease,
    leased,
    raw,
    rejected,
    reply,
    status,
)

from license_management_client import License, LicenseError


class Heartbeat(MachineTestCase):
    def fails(self, license: License, code: str) -> LicenseError:
        with self.assertRaises(LicenseError) as caught:
            license.heartbeat()
        self.assertEqual(caught.exception.code, code)
        return caught.exception

    def assert_changes_nothing(self, code: str, scripted: Reply) -> LicenseError:
        self.leased()
        before = self.state
        self.replies(scripted)
        license = self.license()
        error = self.fails(license, code)
        self.assertEqual(self.state, before)
        # The reason of the last refresh is left, too.
        self.assert_state(license, "valid", None)
        return error

    def test_stores_the_new_certificate_which_ends_with_the_lease(self) -> None:
        license = self.leased()
        self.assert_until(license, NOW + LEASE)
        self.time = NOW + 60
        self.replies(lease(iat=NOW + 60))
        self.assertEqual(self.license().heartbeat().state, "valid")
        self.assert_until(license, NOW + 60 + LEASE)
        body = {"key": KEY, "fingerprint": FINGERPRINT, "product": PRODUCT, "certificate": True}
        self.assertEqual(self.service.requests, [("/validate/heartbeat", body)])

    def test_brings_changed_entitlements_though_the_end_has_not_moved(self) -> None:
        license = self.leased(terms={"entitlements": ["sso"]})
        moved = lease(iat=NOW + 60, exp=NOW + LEASE, terms={"entitlements": ["export"]})
        self.replies(moved)
        self.assertEqual(license.heartbeat().entitlements, ["export"])
        self.assert_until(license, NOW + LEASE)

    def test_makes_a_rejected_license_valid_again(self) -> None:
        for name in ("lease_ended", "suspended"):
            with self.subTest(name):
                license = self.leased()
                self.replies(status(name), lease())
                self.assertEqual(license.refresh().state, name)
                license.heartbeat()
                self.assert_state(license, "valid", None)

    def test_that_is_rejected_fails_with_the_code_of_the_service(self) -> None:
        for http, code in (
            (403, "MACHINE_LIMIT_REACHED"),
            (403, "LICENSE_SUSPENDED"),
            (409, "LICENSE_HAS_NO_LEASES"),
            (409, "LICENSE_NOT_ACTIVATED"),
            (409, "SOME_LATER_CODE"),
        ):
            with self.subTest(code):
                error = self.assert_changes_nothing(code, rejected(http, code))
                self.assertEqual(error.message, f"Message of {code}")

    def test_that_fails_otherwise_changes_nothing(self) -> None:
        for code, scripted in (
            ("revoked", rejected(403, "LICENSE_REVOKED")),
            ("expired", rejected(403, "LICENSE_EXPIRED")),
            ("other_machine", rejected(403, "LICENSE_ON_ANOTHER_MACHINE")),
            ("unknown_key", rejected(404, "LICENSE_NOT_FOUND")),
            ("no_response", raw(b"")),
            ("server_error", reply(503, b"")),
            ("rate_limited", reply(429, b"")),
            ("not_the_service", reply(200, b"<html>")),
            ("not_the_service", reply(200, {"success": False})),
            ("not_the_service", active(issue())),
            ("not_the_service", status("revoked")),
            ("not_the_service", status("pending")),
            ("no_certificate", activated(None)),
            ("bad_certificate", activated(FOREIGN.issue())),
        ):
            with self.subTest(code):
                self.assert_changes_nothing(code, scripted)

    def test_clears_the_reason_of_a_failed_refresh(self) -> None:
        license = self.leased()
        self.replies(reply(503, b""), lease())
        self.assertEqual(license.refresh().reason, "server_error")
        self.assertIsNone(license.heartbeat().reason)

    def test_needs_a_stored_key(self) -> None:
        license = self.license()
        self.assertRegex(self.fails(license, "LICENSE_KEY_REQUIRED").message, r"^No .+\.$")
        license.install(issue())
        self.fails(license, "LICENSE_KEY_REQUIRED")
        self.assertEqual(self.service.requests, [])

    def test_makes_no_machine_id_without_a_stored_key(self) -> None:
        self.fails(self.license(fingerprint=None), "LICENSE_KEY_REQUIRED")
        self.assertFalse(self.folder.exists())

    def test_does_not_bring_back_a_license_that_was_forgotten_meanwhile(self) -> None:
        license = self.leased()

        def forget(handler: BaseHTTPRequestHandler) -> None:
            self.license().forget()
            lease()(handler)

        self.replies(forget)
        self.assertEqual(license.heartbeat().state, "none")

    def test_fails_with_folder_if_its_certificate_cannot_be_stored(self) -> None:
        license = self.leased()
        self.replies(lease(iat=NOW + 1))
        with mock.patch("os.replace", side_effect=PermissionError(13, "denied")):
            self.fails(license, "folder")

    def test_says_clock_if_its_certificate_is_already_over(self) -> None:
        license = self.leased()
        self.time = NOW + LEASE
        self.assert_state(license, "ended", "certificate_ended")
        self.replies(lease(iat=NOW + 1, exp=NOW + LEASE))
        license.heartbeat()
        self.assert_state(license, "clock", "already_over")


class Refresh(MachineTestCase):
    """A validation of a license with leases signs nothing."""

    def test_keeps_the_present_certificate(self) -> None:
        license = self.leased()
        before = self.state
        self.replies(leased())
        license.refresh()
        self.assert_state(license, "valid", None)
        self.assertEqual(self.state, before)
        self.assertEqual(self.service.paths, ["/validate"])

    def test_does_not_extend_it(self) -> None:
        license = self.leased()
        self.time = NOW + LEASE
        self.replies(leased())
        license.refresh()
        self.assert_state(license, "ended", "certificate_ended")

    def test_restores_a_rejected_license_while_its_certificate_lasts(self) -> None:
        for name in ("suspended", "expired", "machine_mismatch"):
            with self.subTest(name):
                self.time = NOW
                license = self.leased()
                self.replies(status(name), leased())
                self.assertEqual(license.refresh().reason, "rejected")
                license.refresh()
                self.assert_state(license, "valid", None)
                self.time = NOW + LEASE
                self.assert_state(license, "ended", "certificate_ended")
                license.forget()

    def test_does_not_restore_a_certificate_without_a_lease(self) -> None:
        license = self.activated()
        self.replies(status("revoked"), leased(), active(issue()))
        license.refresh()
        self.assertEqual(license.refresh().state, "revoked")
        self.assertEqual(license.refresh().state, "valid")

    def test_does_not_restore_a_certificate_that_is_damaged_or_absent(self) -> None:
        for certificate, state in ("text", "damaged"), (None, "suspended"):
            with self.subTest(state):
                license = self.leased()
                self.state = {**self.state, "certificate": certificate, "rejection": "suspended"}
                self.replies(leased())
                self.assertEqual(license.refresh().state, state)
                self.assertEqual(self.state["rejection"], "suspended")

    def test_clears_the_reason_of_a_failed_one(self) -> None:
        license = self.leased()
        self.replies(reply(503, b""), leased())
        self.assertEqual(license.refresh().reason, "server_error")
        self.assertIsNone(license.refresh().reason)

    def test_leaves_a_license_that_was_forgotten_meanwhile(self) -> None:
        license = self.leased()

        def forget(handler: BaseHTTPRequestHandler) -> None:
            self.license().forget()
            leased()(handler)

        self.replies(forget)
        self.assertEqual(license.refresh().state, "none")


class Clock(MachineTestCase):
    def test_may_be_set_back_by_the_lease_and_by_no_more(self) -> None:
        license = self.leased()
        self.time = NOW - LEASE
        self.assert_state(license, "valid", None)
        self.time = NOW - LEASE - 1
        self.assertEqual(license.status().state, "clock")

    def test_may_be_a_day_behind_without_a_lease(self) -> None:
        license = self.activated()
        self.time = NOW - DAY
        self.assert_state(license, "valid", None)

    def test_of_the_service_that_was_ahead_is_mended_by_the_next_lease(self) -> None:
        license = self.leased(iat=NOW + LEASE + 1)
        self.assert_state(license, "clock", "issued_in_future")
        self.replies(lease())
        license.heartbeat()
        self.assert_state(license, "valid", None)
