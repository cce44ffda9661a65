from __future__ import annotations

from http.server import BaseHTTPRequestHandler

from support import (
    DAY,
    NOW,
    MachineTestCase,
    activated,
    active,
    issue,
    reply,
    status,
)

REJECTIONS = [
    ("revoked", "revoked"),
    ("expired", "expired"),
    ("machine_mismatch", "other_machine"),
    ("suspended", "suspended"),
    ("lease_ended", "lease_ended"),
]


class Refresh(MachineTestCase):
    def test_replaces_the_certificate_by_a_later_one(self) -> None:
        license = self.activated()
        self.time = NOW + 3 * DAY
        later = issue(iat=NOW + 3 * DAY, exp=NOW + 10 * DAY)
        self.replies(active(later))
        self.assertEqual(license.refresh().state, "valid")
        self.assertEqual(self.state["certificate"], later)
        self.assertEqual(self.service.paths, ["/validate"])

    def test_brings_changed_entitlements_though_the_new_certificate_ends_earlier(self) -> None:
        license = self.activated(exp=NOW + 30 * DAY, terms={"entitlements": ["sso"]})
        terms = {"entitlements": ["export"], "services": ["Maintenance"]}
        self.replies(active(issue(iat=NOW + 1, exp=NOW + 8 * DAY, terms=terms)))
        status = license.refresh()
        self.assertEqual((status.services, status.entitlements), (["Maintenance"], ["export"]))
        self.assert_until(license, NOW + 8 * DAY)

    def test_never_shortens_an_installed_certificate_but_takes_the_rest(self) -> None:
        license = self.activated()
        license.install(issue(exp=NOW + 100 * DAY))
        for day, entitlement in (1, "sso"), (2, "export"):
            self.time = NOW + day * DAY
            terms = {"entitlements": [entitlement]}
            self.replies(active(issue(iat=int(self.time), exp=NOW + 8 * DAY, terms=terms)))
            self.assertEqual(license.refresh().entitlements, [entitlement])
            self.assert_until(self.license(), NOW + 100 * DAY)
        self.time = NOW + 100 * DAY
        self.assert_state(license, "ended", "certificate_ended")

    def test_never_shortens_a_certificate_of_an_older_sdk(self) -> None:
        license = self.activated(exp=NOW + 100 * DAY)
        # It did not note which certificate was installed.
        self.state = {name: value for name, value in self.state.items() if name != "installed"}
        self.replies(active(issue(iat=NOW + 1, exp=NOW + 8 * DAY, terms={"entitlements": ["sso"]})))
        self.assertEqual(license.refresh().entitlements, ["sso"])
        self.assert_until(license, NOW + 100 * DAY)

    def test_activates_again_if_the_license_is_pending(self) -> None:
        license = self.activated()
        later = issue(exp=NOW + 8 * DAY)
        self.replies(status("pending"), activated(later))
        license.refresh()
        self.assertEqual(self.service.paths, ["/validate", "/validate/activate"])
        self.assertEqual(self.state["certificate"], later)

    def test_sends_nothing_without_a_stored_key(self) -> None:
        self.replies(active(issue()))
        self.assertEqual(self.license().refresh().state, "none")
        self.license().install(issue())
        self.assertEqual(self.license().refresh().state, "valid")
        self.assertEqual(self.service.requests, [])

    def test_does_not_bring_back_a_license_that_was_forgotten_meanwhile(self) -> None:
        license = self.activated()

        def forget(handler: BaseHTTPRequestHandler) -> None:
            self.license().forget()
            active(issue())(handler)

        self.replies(forget)
        self.assertEqual(license.refresh().state, "none")

    def test_does_not_touch_a_license_that_was_activated_meanwhile(self) -> None:
        license = self.activated()

        def activate(handler: BaseHTTPRequestHandler) -> None:
            self.replies(active(issue(sub="another")))
            self.license().activate("another key")
            status("revoked")(handler)

        self.replies(activate)
        self.assertEqual(license.refresh().state, "valid")
        self.assertEqual(self.state["key"], "another key")


class Rejection(MachineTestCase):
    def test_ends_the_license_but_deletes_neither_key_nor_certificate(self) -> None:
        for name, state in REJECTIONS:
            with self.subTest(name):
                license = self.activated()
                before = self.state
                self.replies(status(name))
                license.refresh()
                self.assert_state(license, state, "rejected")
                self.assert_state(self.license(), state, "rejected")
                self.assertEqual(self.state, {**before, "rejection": state})
                license.forget()

    def test_is_healed_by_the_next_good_certificate(self) -> None:
        for name, _ in REJECTIONS:
            with self.subTest(name):
                license = self.activated()
                self.replies(status(name), active(issue()))
                license.refresh()
                license.refresh()
                self.assert_state(license, "valid", None)

    def test_is_healed_by_a_certificate_that_is_not_kept(self) -> None:
        license = self.activated(exp=NOW + 100 * DAY)
        self.replies(status("revoked"), active(issue()))
        license.refresh()
        license.refresh()
        self.assert_state(license, "valid", None)
        self.assert_until(license, NOW + 100 * DAY)

    def test_outlasts_a_missing_response(self) -> None:
        license = self.activated()
        self.replies(status("revoked"), reply(503, b""))
        license.refresh()
        license.refresh()
        self.assert_state(license, "revoked", "server_error")
        self.assert_state(self.license(), "revoked", "rejected")
