from __future__ import annotations

from http.server import BaseHTTPRequestHandler
from typing import List
from unittest import mock

from support import (
    DAY,
    FINGERPRINT,
    KEY,
    NOW,
    PRODUCT,
    MachineTestCase,
    Reply,
    active,
    issue,
    raw,
    rejected,
    reply,
)

from license_management_client import License, LicenseError

RELEASED = reply(200, {"success": True, "message": "License released from this machine"})


class Release(MachineTestCase):
    def fails(self, license: License, code: str) -> LicenseError:
        with self.assertRaises(LicenseError) as caught:
            license.release()
        self.assertEqual(caught.exception.code, code)
        return caught.exception

    def assert_keeps_all(self, code: str, scripted: Reply) -> LicenseError:
        self.activated()
        before = self.state
        self.replies(scripted)
        license = self.license()
        error = self.fails(license, code)
        self.assertEqual(self.state, before)
        self.assert_state(license, "valid", None)
        return error

    def files(self) -> List[str]:
        return [file.name for file in self.folder.iterdir()]

    def test_gives_up_the_place_and_deletes_key_certificate_and_state(self) -> None:
        self.activated()
        self.replies(RELEASED)
        license = self.license(machine_name="is not sent")
        self.assertEqual(license.release().state, "none")
        self.assert_state(license, "none", None)
        body = {"key": KEY, "fingerprint": FINGERPRINT, "product": PRODUCT}
        self.assertEqual(self.service.requests, [("/validate/release", body)])
        self.assertEqual(self.files(), [])

    def test_leaves_nothing_of_a_failed_refresh(self) -> None:
        license = self.activated()
        self.time = NOW + 8 * DAY
        self.replies(active(issue()), reply(503, b""), RELEASED)
        self.assertEqual(license.refresh().reason, "already_over")
        license.refresh()
        license.release()
        self.license().install(issue())
        self.assert_state(license, "ended", "certificate_ended")

    def test_lets_the_key_be_activated_again(self) -> None:
        license = self.activated()
        self.replies(RELEASED, active(issue()))
        license.release()
        self.assertEqual(license.activate(KEY).state, "valid")

    def test_that_is_rejected_fails_with_the_code_of_the_service(self) -> None:
        for http, code in (
            (403, "RELEASE_NOT_ALLOWED"),
            (403, "RELEASE_LIMIT_REACHED"),
            (409, "CERTIFICATE_OUTSTANDING"),
            (409, "SOME_LATER_CODE"),
        ):
            with self.subTest(code):
                error = self.assert_keeps_all(code, rejected(http, code))
                self.assertEqual(error.message, f"Message of {code}")

    def test_that_fails_otherwise_keeps_all(self) -> None:
        for code, scripted in (
            ("revoked", rejected(403, "LICENSE_REVOKED")),
            ("unknown_key", rejected(404, "LICENSE_NOT_FOUND")),
            ("request_rejected", reply(404, b"<html>")),
            ("no_response", raw(b"")),
            ("server_error", reply(503, b"")),
            ("rate_limited", reply(429, b"")),
            ("not_the_service", reply(200, b"<html>")),
            ("not_the_service", reply(200, {"success": "true"})),
            ("not_the_service", active(issue())),
        ):
            with self.subTest(code):
                self.assert_keeps_all(code, scripted)

    def test_deletes_all_if_the_machine_has_no_place_any_more(self) -> None:
        license = self.activated()
        self.replies(rejected(404, "MACHINE_NOT_FOUND"))
        error = self.fails(license, "MACHINE_NOT_FOUND")
        self.assertEqual(error.message, "Message of MACHINE_NOT_FOUND")
        self.assert_state(license, "none", None)
        self.assertEqual(self.files(), [])

    def test_needs_a_stored_key(self) -> None:
        license = self.license()
        self.fails(license, "LICENSE_KEY_REQUIRED")
        license.install(issue())
        self.fails(license, "LICENSE_KEY_REQUIRED")
        self.assert_state(license, "valid", None)
        self.assertEqual(self.service.requests, [])

    def test_leaves_another_key_that_was_activated_meanwhile(self) -> None:
        license = self.activated()

        def activate(handler: BaseHTTPRequestHandler) -> None:
            self.replies(active(issue(sub="another")))
            self.license().activate("another key")
            RELEASED(handler)

        self.replies(activate)
        self.assertEqual(license.release().state, "valid")
        self.assertEqual(self.state["key"], "another key")

    def test_sends_nothing_if_the_certificate_could_not_be_deleted(self) -> None:
        license = self.activated()
        with mock.patch("tempfile.mkstemp", side_effect=PermissionError(13, "denied")):
            self.fails(license, "folder")
        self.assertEqual(self.service.requests, [])
        self.assert_state(license, "valid", None)
