from __future__ import annotations

import threading
from datetime import datetime, timezone
from typing import List, Optional
from unittest import mock

from support import DAY, KEY, NOW, MachineTestCase, activated, active, issue, issue_lease, reply

from license_management_client import Status
from license_management_client.keep_fresh import Contact, KeepFresh, next_contact

HOUR = 3600


def until(seconds: float) -> datetime:
    return datetime.fromtimestamp(NOW + seconds, timezone.utc)


class NextContact(MachineTestCase):
    def wait(self, end: Optional[datetime], failures: int = 0) -> float:
        return next_contact(Contact(NOW, failures), end) - NOW

    def test_is_due_after_a_third_of_the_remaining_time_and_at_least_daily(self) -> None:
        rests = (30 * DAY, DAY, HOUR, -DAY)
        self.assertEqual([self.wait(until(rest)) for rest in rests], [DAY, 8 * HOUR, 1200, 60])
        self.assertEqual(self.wait(None), DAY)

    def test_is_delayed_more_after_each_failure_up_to_an_hour(self) -> None:
        waits = [self.wait(until(HOUR), failures) for failures in (1, 2, 3, 7, 8, 5000)]
        self.assertEqual(waits, [60, 120, 240, HOUR, HOUR, HOUR])


class KeepFreshCheck(MachineTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.requests, self.reason = 0, None  # type: int, Optional[str]
        self.states: List[str] = []
        self.keeping = KeepFresh(
            lambda: self.time, self.status, self.refresh, lambda s: self.states.append(s.state)
        )

    def status(self) -> Status:
        return Status(state="valid", valid_until=until(7 * DAY), reason=self.reason)

    def refresh(self) -> Status:
        self.requests += 1
        return self.status()

    def after(self, seconds: float) -> int:
        self.time += seconds
        self.keeping.check()
        return self.requests

    def test_sends_requests_immediately_then_daily_and_soon_after_a_laptop_has_slept(self) -> None:
        counts = [self.after(seconds) for seconds in (0, DAY - 1, 1, 5 * DAY, -10 * DAY)]
        self.assertEqual(counts, [1, 1, 2, 3, 4])
        self.assertEqual(self.states, ["valid"])

    def test_retries_a_minute_after_a_failure(self) -> None:
        self.after(0)
        self.reason = "no_response"
        self.assertEqual([self.after(seconds) for seconds in (DAY, 60, 60, 60)], [2, 3, 3, 4])

    def test_logs_an_exception_of_the_callback_and_continues(self) -> None:
        callback = mock.Mock(side_effect=RuntimeError)
        keeping = KeepFresh(lambda: self.time, self.status, self.refresh, callback)
        with self.assertLogs("license_management_client.keep_fresh", "ERROR"):
            keeping.check()
        self.time += DAY
        keeping.check()
        self.assertEqual(self.requests, 2)


class License(MachineTestCase):
    def first_state(self) -> str:
        states: List[str] = []
        arrived = threading.Event()

        def note(status: Status) -> None:
            states.append(status.state)
            arrived.set()

        stop = self.license().keep_fresh(note)
        self.assertTrue(arrived.wait(60))
        stop()
        return states[0]

    def test_is_kept_fresh_by_a_refresh(self) -> None:
        self.activated()
        self.replies(active(issue(iat=NOW + 1)))
        self.assertEqual(self.first_state(), "valid")
        self.assertEqual(self.service.paths, ["/validate"])

    def test_with_leases_is_kept_fresh_by_heartbeats_and_refreshed_if_those_fail(self) -> None:
        self.replies(active(issue_lease()), activated(issue_lease()), reply(503, b""))
        self.license().activate(KEY)
        self.first_state()
        self.first_state()
        beats = ["/validate/heartbeat"] * 2
        self.assertEqual(self.service.paths, ["/validate", *beats, "/validate"])
