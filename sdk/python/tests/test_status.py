from __future__ import annotations

from unittest import mock

from support import (
    DAY,
    ISSUER,
    LICENSE_END_SECONDS,
    NEXT,
    NOW,
    PRODUCT,
    MachineTestCase,
    active,
    issue,
    reply,
)

from license_management_client import Status

END = NOW + 7 * DAY


class State(MachineTestCase):
    def test_is_none_before_the_first_activation(self) -> None:
        license = self.license()
        self.assert_state(license, "none", None)
        self.assertFalse(self.folder.exists())

    def test_is_none_without_a_reason_once_another_process_has_forgotten_the_license(self) -> None:
        license = self.activated()
        self.replies(reply(503, b""))
        license.refresh()
        self.license().forget()
        self.assert_state(license, "none", None)

    def test_is_valid_until_the_certificate_ends(self) -> None:
        license = self.activated()
        self.time = END - 0.001
        self.assert_state(license, "valid", None)
        self.assert_until(license, END)
        self.assertEqual(license.status().services, ["Hosting"])

    def test_is_ended_at_the_end_of_the_certificate(self) -> None:
        license = self.activated()
        self.time = END
        self.assert_state(license, "ended", "certificate_ended")
        self.assert_until(license, END)
        self.assertEqual(license.status().services, [])

    def test_is_expired_at_the_end_of_the_license(self) -> None:
        license = self.activated(exp=LICENSE_END_SECONDS + DAY)
        self.time = LICENSE_END_SECONDS - 1
        self.assert_until(license, LICENSE_END_SECONDS)
        self.time = LICENSE_END_SECONDS
        self.assert_state(license, "expired", "license_expired")
        self.assert_until(license, LICENSE_END_SECONDS)

    def test_is_other_product_for_a_certificate_of_another_product(self) -> None:
        self.activated()
        self.state = {**self.state, "certificate": issue(aud="com.example.cheap-shop")}
        self.assert_state(self.license(), "other_product", "product")

    def test_is_other_machine_for_a_certificate_of_another_machine(self) -> None:
        self.activated()
        self.state = {**self.state, "certificate": issue(fingerprint="of another machine")}
        self.assert_state(self.license(), "other_machine", "machine")

    def test_is_other_machine_for_a_license_id_that_is_not_unicode(self) -> None:
        self.activated()
        self.state = {**self.state, "certificate": issue(sub="\ud800")}
        self.assert_state(self.license(), "other_machine", "machine")

    def test_is_damaged_for_an_end_of_the_license_that_the_service_never_writes(self) -> None:
        self.activated()
        for end in (
            "2027-06-30T24:00:00.000Z",
            "2027-06-30T10:15:60.000Z",
            "2027-06-30T10:15:00.000+00:00",
            "2027-06-30T10:15:00.000Z\n",
            "2027-06-30 10:15:00.000Z",
            "2027-W26-3T10:15:00.000Z",
        ):
            with self.subTest(end):
                certificate = issue(license={"expiresAt": end, "services": []})
                self.state = {**self.state, "certificate": certificate}
                self.assert_state(self.license(), "damaged", "claims")

    def test_is_damaged_for_a_certificate_of_a_key_that_is_not_built_in(self) -> None:
        self.activated()
        self.assert_state(self.license(keys=[NEXT.jwk]), "damaged", "key")

    def test_is_damaged_for_a_certificate_of_another_issuer(self) -> None:
        self.activated()
        self.state = {**self.state, "certificate": issue(iss="another")}
        self.assert_state(self.license(), "damaged", "issuer")

    def test_is_of_its_own_product_where_two_share_a_folder(self) -> None:
        self.activated()
        self.assert_state(self.license(product="com.example.other"), "none", None)
        self.assert_state(self.license(product=PRODUCT.upper()), "none", None)
        self.assert_state(self.license(issuer=ISSUER.upper()), "none", None)
        self.license(product="com.example.other").forget()
        self.assert_state(self.license(), "valid", None)

    def test_uses_no_network(self) -> None:
        license = self.activated()
        with mock.patch("socket.socket", side_effect=AssertionError):
            self.assert_state(license, "valid", None)

    def test_of_a_certificate_signed_with_the_next_key_is_valid(self) -> None:
        self.license().install(NEXT.issue())
        self.assert_state(self.license(), "valid", None)

    def test_accepts_the_id_of_the_project_as_product(self) -> None:
        project = "665f1c2ab7e4a90012345678"
        self.license(product=project).install(issue(aud=project))
        self.assert_state(self.license(product=project), "valid", None)


class Entitlements(MachineTestCase):
    ENTITLED = {"terms": {"entitlements": ["export.pdf", "sso"]}}

    def test_are_listed_and_found_while_the_license_is_valid(self) -> None:
        status = self.activated(**self.ENTITLED).status()
        self.assertEqual(status.entitlements, ["export.pdf", "sso"])
        names = ("sso", "export.pdf", "export", "SSO")
        self.assertEqual([status.has(name) for name in names], [True, True, False, False])

    def test_are_none_once_the_certificate_has_ended(self) -> None:
        license = self.activated(**self.ENTITLED)
        self.time = END
        self.assertEqual(license.status().entitlements, [])
        self.assertFalse(license.status().has("sso"))

    def test_are_none_in_older_certificates_and_while_nothing_is_stored(self) -> None:
        self.assertFalse(self.license().status().has("sso"))
        license = self.activated()
        self.assert_state(license, "valid", None)
        self.assertEqual(license.status().entitlements, [])

    def test_are_found_though_the_last_refresh_failed(self) -> None:
        license = self.activated(**self.ENTITLED)
        self.replies(reply(503, b""))
        status = license.refresh()
        self.assertEqual(status.reason, "server_error")
        self.assertTrue(status.has("sso"))

    def test_are_the_last_argument_of_a_status(self) -> None:
        status = Status("valid", None, ["Hosting"], None, ["sso"])
        self.assertEqual((status.services, status.entitlements), (["Hosting"], ["sso"]))


class Perpetual(MachineTestCase):
    def test_license_is_valid_until_its_certificate_ends(self) -> None:
        terms = {"expiresAt": "9999-12-31T23:59:59.999Z", "duration": None, "perpetual": True}
        license = self.activated(terms=terms)
        self.assert_until(license, END)

    def test_license_with_a_certificate_that_outlasts_every_calendar_is_valid(self) -> None:
        terms = {"expiresAt": "9999-12-31T23:59:59.999Z"}
        license = self.activated(terms=terms, exp=2**53 - 1)
        self.assert_state(license, "valid", None)
        until = license.status().until
        self.assertEqual(until and until.isoformat(), "9999-12-31T23:59:59.999000+00:00")


class Clock(MachineTestCase):
    def test_may_be_a_day_behind_the_certificate(self) -> None:
        license = self.activated()
        self.time = NOW - DAY
        self.assert_state(license, "valid", None)
        self.time = NOW - DAY - 1
        self.assert_state(license, "clock", "issued_in_future")

    def test_of_the_service_that_was_ahead_is_mended_by_its_next_certificate(self) -> None:
        ahead = NOW + 300 * DAY
        license = self.activated(iat=ahead, exp=ahead + 7 * DAY)
        self.assert_state(license, "clock", "issued_in_future")
        before = self.state["certificate"]
        self.replies(active(issue(iat=ahead - DAY, exp=ahead + 6 * DAY)), active(issue()))
        license.refresh()
        self.assertEqual(self.state["certificate"], before)
        license.refresh()
        self.assert_state(license, "valid", None)
        self.assertEqual(self.state["rememberedTime"], NOW)

    def test_is_remembered_while_the_certificate_is_valid(self) -> None:
        license = self.activated()
        self.time = NOW + 5 * DAY + 0.9
        self.assert_state(license, "valid", None)
        self.assertEqual(self.state["rememberedTime"], NOW + 5 * DAY)
        self.time = NOW + 4 * DAY
        self.assert_state(self.license(), "valid", None)
        self.time = NOW + 4 * DAY - 1
        self.assert_state(self.license(), "clock", "clock_set_back")

    def test_is_remembered_once_an_hour(self) -> None:
        license = self.activated()
        self.time = NOW + 3599
        license.status()
        self.assertEqual(self.state["rememberedTime"], NOW)
        self.time = NOW + 3600
        license.status()
        self.assertEqual(self.state["rememberedTime"], NOW + 3600)

    def test_that_was_once_years_ahead_locks_nobody_out(self) -> None:
        license = self.activated()
        self.time = NOW + 3650 * DAY
        self.assert_state(license, "expired", "license_expired")
        self.time = NOW + DAY
        self.assert_state(license, "valid", None)

    def test_that_was_days_ahead_is_forgiven_by_the_next_certificate(self) -> None:
        license = self.activated()
        self.time = NOW + 6 * DAY
        license.status()
        self.time = NOW + DAY
        self.assert_state(license, "clock", "clock_set_back")
        self.replies(active(issue(iat=NOW + DAY, exp=NOW + 8 * DAY)))
        license.refresh()
        self.assertEqual(self.state["rememberedTime"], NOW + DAY)
        self.assert_state(license, "valid", None)

    def test_that_was_days_ahead_is_forgiven_even_if_the_longer_certificate_is_kept(self) -> None:
        license = self.activated(exp=NOW + 100 * DAY)
        self.time = NOW + 6 * DAY
        license.status()
        self.time = NOW + DAY
        self.replies(active(issue(iat=NOW + DAY, exp=NOW + 8 * DAY)))
        self.assertEqual(license.refresh().state, "valid")

    def test_is_not_forgiven_by_a_certificate_that_was_issued_before(self) -> None:
        license = self.activated()
        self.time = NOW + 6 * DAY
        license.status()
        self.time = NOW + DAY
        self.replies(active(issue(exp=NOW + 8 * DAY)))
        self.assertEqual(license.refresh().state, "clock")

    def test_far_in_the_past_or_future_raises_nothing(self) -> None:
        license = self.activated()
        for time in (-1e18, -1.0, 0, 1e11, 1e18, float("inf"), float("-inf")):
            with self.subTest(time=time):
                self.time = time
                self.assertIn(license.status().state, ("clock", "expired"))
