from __future__ import annotations

from typing import Any

from support import (
    DAY,
    FINGERPRINT,
    FOREIGN,
    KEY,
    NOW,
    PRODUCT,
    MachineTestCase,
    activated,
    active,
    issue,
    rejected,
    reply,
    status,
)

from license_management_client import LicenseError

OTHER_KEY = "LIC-665f1c2ab7e4a90012345679-0000-0000-0000"


class Activate(MachineTestCase):
    def fails(self, code: str, key: Any = KEY) -> LicenseError:
        with self.assertRaises(LicenseError) as caught:
            self.license().activate(key)
        self.assertEqual(caught.exception.code, code)
        self.assertRegex(str(caught.exception), r"^[A-Z].*")
        return caught.exception

    def test_only_validates_a_license_that_is_active_on_this_machine(self) -> None:
        self.replies(active(issue()))
        result = self.license().activate(KEY)
        self.assertEqual(result.state, "valid")
        body = {"key": KEY, "fingerprint": FINGERPRINT, "product": PRODUCT, "certificate": True}
        self.assertEqual(self.service.requests, [("/validate", body)])
        self.assertIs(self.service.requests[0][1]["certificate"], True)

    def test_activates_a_pending_license(self) -> None:
        self.replies(status("pending"), activated(issue()))
        self.assertEqual(self.license().activate(KEY).state, "valid")
        self.assertEqual(self.service.paths, ["/validate", "/validate/activate"])
        self.assertEqual(self.service.requests[0][1], self.service.requests[1][1])

    def test_stores_key_and_certificate_for_this_user_alone(self) -> None:
        certificate = issue()
        self.replies(active(certificate))
        self.license().activate(f" {KEY}\n")
        stored = {name: self.state[name] for name in ("version", "key", "certificate", "rejection")}
        expected = {"version": 1, "key": KEY, "certificate": certificate, "rejection": None}
        self.assertEqual(stored, expected)
        self.assertEqual(self.state["rememberedTime"], NOW)
        self.assertEqual(self.state_file.stat().st_mode & 0o777, 0o600)
        self.assertEqual(self.folder.stat().st_mode & 0o777, 0o700)

    def test_names_the_state_file_and_the_machine_as_the_format_says(self) -> None:
        self.activated()
        self.assertEqual(self.state_file.name, "license-de02ed4f0ab649d3fa6045fa18dc0aac.json")
        self.assertEqual(self.state["machine"], "jhR7vTKgkxG2WtYfbQECV0-Li-_mj2TbzqXml84TGYo")

    def test_rejects_an_empty_key_without_a_request(self) -> None:
        for key in (" \n", "", None, 1):
            self.fails("LICENSE_KEY_REQUIRED", key)
        self.assertEqual(self.service.requests, [])

    def test_fails_with_a_code_of_its_own_for_each_rejection(self) -> None:
        for name, code in [
            ("revoked", "revoked"),
            ("expired", "expired"),
            ("machine_mismatch", "other_machine"),
            ("suspended", "suspended"),
            ("invalid", "unknown_key"),
        ]:
            with self.subTest(name):
                self.replies(status(name))
                self.fails(code)

    def test_fails_with_the_same_codes_if_the_activation_is_rejected(self) -> None:
        for http, name, code in [
            (403, "LICENSE_REVOKED", "revoked"),
            (403, "LICENSE_EXPIRED", "expired"),
            (403, "LICENSE_ON_ANOTHER_MACHINE", "other_machine"),
            (404, "LICENSE_NOT_FOUND", "unknown_key"),
        ]:
            with self.subTest(name):
                self.replies(status("pending"), rejected(http, name))
                self.fails(code)

    def test_gives_the_services_own_code_and_message_for_another_rejection(self) -> None:
        self.replies(rejected(400, "VALIDATION_ERROR"))
        self.assertEqual(self.fails("VALIDATION_ERROR").message, "Message of VALIDATION_ERROR")

    def test_gives_a_code_to_a_rejection_without_one(self) -> None:
        self.replies(reply(404, b"<html>"))
        self.fails("request_rejected")

    def test_says_when_to_try_again_after_a_rate_limit(self) -> None:
        self.replies(status("pending"), reply(429, {"success": False}, {"Retry-After": "840"}))
        self.assertEqual(self.fails("rate_limited").retry_after, 840)

    def test_says_when_to_try_again_while_the_service_is_overloaded(self) -> None:
        self.replies(reply(503, b"", {"Retry-After": "2"}))
        self.assertEqual(self.fails("server_error").retry_after, 2)

    def test_does_not_say_when_to_try_again_if_the_service_does_not(self) -> None:
        for text in ("Fri, 31 Dec 2027 23:59:59 GMT", "1.5", "-1", "", "1" * 10):
            self.replies(reply(429, {}, {"Retry-After": text}))
            self.assertIsNone(self.fails("rate_limited").retry_after)

    def test_fails_if_an_older_service_sends_no_certificate(self) -> None:
        self.replies(active(None))
        self.fails("no_certificate")
        self.assertEqual(self.license().status().state, "none")

    def test_fails_for_a_certificate_that_does_not_verify(self) -> None:
        for certificate in ["text", 7, [issue()], FOREIGN.issue(), issue(aud="another")]:
            with self.subTest(certificate=certificate):
                self.replies(active(certificate))
                self.fails("bad_certificate")
        self.assertEqual(self.license().status().state, "none")

    def test_fails_if_a_license_is_still_pending_after_its_activation(self) -> None:
        self.replies(status("pending"))
        self.fails("not_the_service")
        self.assertEqual(len(self.service.requests), 2)

    def test_replaces_a_stored_license_on_success_only(self) -> None:
        self.activated()
        before = self.state
        self.replies(status("revoked"))
        self.fails("revoked", OTHER_KEY)
        self.assertEqual(self.state, before)

        certificate = issue(sub="another license", exp=NOW + DAY)
        self.replies(active(certificate))
        self.license().activate(OTHER_KEY)
        self.assertEqual((self.state["key"], self.state["certificate"]), (OTHER_KEY, certificate))

    def test_keeps_the_later_of_two_certificates_of_a_license(self) -> None:
        long = issue(exp=NOW + 100 * DAY)
        self.license().install(long)
        self.replies(active(issue()))
        self.license().activate(KEY)
        self.assertEqual((self.state["key"], self.state["certificate"]), (KEY, long))

    def test_says_clock_if_the_fetched_certificate_is_already_over(self) -> None:
        self.time = NOW + 7 * DAY
        self.replies(active(issue()))
        license = self.license()
        license.activate(KEY)
        self.assert_state(license, "clock", "already_over")
        self.time = NOW + DAY
        self.assert_state(license, "valid", None)
        self.time = NOW + 7 * DAY
        self.assert_state(license, "ended", "certificate_ended")

    def test_says_clock_if_the_license_of_the_fetched_certificate_is_already_over(self) -> None:
        terms = {"expiresAt": "2027-01-15T08:00:00.000Z", "services": []}
        self.replies(active(issue(license=terms)))
        license = self.license()
        license.activate(KEY)
        self.assert_state(license, "clock", "already_over")

    def test_says_clock_until_the_clock_is_set(self) -> None:
        license = self.activated()
        self.time = NOW + 8 * DAY
        self.replies(active(issue(jti="2")), reply(503, b""))
        license.refresh()
        self.assert_state(license, "clock", "already_over")
        license.refresh()
        self.assert_state(license, "clock", "server_error")
        self.time = NOW
        self.assertEqual(license.status().state, "valid")

    def test_says_clock_if_the_certificate_that_is_kept_is_over_too(self) -> None:
        license = self.activated(exp=NOW + 9 * DAY)
        self.time = NOW + 10 * DAY
        self.replies(active(issue()))
        license.refresh()
        self.assert_state(license, "clock", "already_over")

    def test_says_ended_once_an_old_certificate_is_installed(self) -> None:
        license = self.activated()
        self.time = NOW + 8 * DAY
        license.refresh()
        self.assert_state(license, "clock", "already_over")
        license.install(issue())
        self.assert_state(license, "ended", "certificate_ended")

    def test_begins_anew_after_forget(self) -> None:
        license = self.activated()
        self.time = NOW + 8 * DAY
        license.refresh()
        self.replies(reply(503, b""))
        license.refresh()
        self.assert_state(license, "clock", "server_error")
        license.forget()
        self.license().install(issue())
        self.assert_state(license, "ended", "certificate_ended")

    def test_says_clock_if_the_fetched_certificate_is_issued_in_the_future(self) -> None:
        self.time = NOW - 2 * DAY
        self.replies(active(issue()))
        license = self.license()
        license.activate(KEY)
        self.assert_state(license, "clock", "issued_in_future")
