from __future__ import annotations

from typing import Any, List

from support import (
    FINGERPRINT,
    KEY,
    PRODUCT,
    MachineTestCase,
    activated,
    issue,
    lease,
    leased,
    mismatch,
    rejected,
    reply,
    status,
)

from license_management_client import LicenseError

BOTH = ["/validate", "/validate/activate"]
FREE = {"used": 2, "max": 3}


class Places(MachineTestCase):
    def fails(self, code: str) -> LicenseError:
        self.service.requests.clear()
        with self.assertRaises(LicenseError) as caught:
            self.license().activate(KEY)
        self.assertEqual(caught.exception.code, code)
        return caught.exception

    def test_are_taken_by_an_activation_if_they_are_free(self) -> None:
        self.replies(mismatch(FREE), activated(issue()))
        self.assertEqual(self.license().activate(KEY).state, "valid")
        self.assertEqual(self.service.paths, BOTH)

    def test_that_are_all_taken_fail_without_an_activation(self) -> None:
        self.replies(mismatch({"used": 3, "max": 3}), activated(issue()))
        error = self.fails("MACHINE_LIMIT_REACHED")
        message = "All machines that the license allows are in use: release one of them."
        self.assertEqual(error.message, message)
        self.assertEqual(self.service.paths, ["/validate"])

    def test_of_another_machine_fail_without_an_activation_if_their_number_is_unknown(self) -> None:
        numbers: List[Any] = [
            None,
            3,
            [],
            {},
            {"used": 0},
            {"max": 3},
            {"used": "0", "max": "3"},
            {"used": -1, "max": 3},
            {"used": 0.5, "max": 3},
            {"used": False, "max": True},
        ]
        for machines in numbers:
            with self.subTest(machines=machines):
                self.replies(mismatch(machines), activated(issue()))
                self.fails("other_machine")
                self.assertEqual(self.service.paths, ["/validate"])

    def test_that_the_service_denies_fail_with_its_code_and_message(self) -> None:
        for code in ("MACHINE_LIMIT_REACHED", "TRIAL_USED", "LICENSE_SUSPENDED"):
            with self.subTest(code):
                self.replies(mismatch(FREE), rejected(403, code))
                self.assertEqual(self.fails(code).message, f"Message of {code}")
                self.assert_state(self.license(), "none", None)

    def test_are_taken_again_once_the_lease_has_ended(self) -> None:
        self.replies(status("lease_ended"), lease())
        self.assertEqual(self.license().activate(KEY).state, "valid")
        self.assertEqual(self.service.paths, BOTH)

    def test_with_a_lease_get_their_certificate_by_a_heartbeat(self) -> None:
        self.replies(leased(), lease())
        self.assertEqual(self.license().activate(KEY).state, "valid")
        self.assertEqual(self.service.paths, ["/validate", "/validate/heartbeat"])
        self.assertEqual(self.state["key"], KEY)

    def test_with_a_lease_use_the_certificate_of_a_validation_that_has_one(self) -> None:
        body = {"status": "active", "leaseEndsAt": "tomorrow", "certificate": issue()}
        self.replies(reply(200, body))
        self.assertEqual(self.license().activate(KEY).state, "valid")
        self.assertEqual(self.service.paths, ["/validate"])

    def test_with_a_lease_that_has_no_end_get_no_certificate(self) -> None:
        for end in (None, 1, True, {}):
            with self.subTest(end=end):
                self.replies(reply(200, {"status": "active", "leaseEndsAt": end}))
                self.fails("no_certificate")
                self.assertEqual(self.service.paths, ["/validate"])

    def test_are_never_taken_by_a_refresh(self) -> None:
        for state, rejection in (
            ("other_machine", mismatch(FREE)),
            ("lease_ended", status("lease_ended")),
        ):
            with self.subTest(state):
                license = self.activated()
                self.replies(rejection, activated(issue()))
                license.refresh()
                self.assert_state(license, state, "rejected")
                self.assertEqual(self.service.paths, ["/validate"])


class MachineName(MachineTestCase):
    NAME = "Anna\u2019s laptop \U0001f4bb"
    BODY = {"key": KEY, "fingerprint": FINGERPRINT, "product": PRODUCT, "certificate": True}

    def test_is_sent_with_an_activation_and_not_with_a_validation(self) -> None:
        self.replies(status("pending"), activated(issue()))
        self.license(machine_name=self.NAME).activate(KEY)
        named = {**self.BODY, "machineName": self.NAME}
        self.assertEqual([body for _, body in self.service.requests], [self.BODY, named])

    def test_is_sent_with_a_heartbeat(self) -> None:
        self.replies(leased(), lease())
        self.license(machine_name=self.NAME).activate(KEY)
        self.assertEqual(self.service.requests[1][1], {**self.BODY, "machineName": self.NAME})
