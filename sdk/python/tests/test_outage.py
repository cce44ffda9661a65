"""An outage in virtual time: the service sends anything but a good certificate."""

from __future__ import annotations

import json
import os
import random
from unittest import mock

from support import DAY, KEY, NOW, MachineTestCase, active, issue

from license_management_client.transport import Reply

MACHINES = 1000 if os.environ.get("TEST_SCOPE") == "full" else 50


def random_reply(chance: random.Random) -> Reply:
    """Limits, failures, garbage, captive portals, halves of responses, and no response at all."""
    good = json.dumps({"valid": True, "status": "active", "certificate": issue()}).encode()
    return chance.choice(
        [
            Reply("timeout"),
            Reply("no_response"),
            Reply("not_the_service"),
            Reply(None, 429, b'{"success":false}', 60),
            Reply(None, chance.randint(500, 599), chance.choice([b"", b'{"status":"revoked"}'])),
            Reply(None, chance.randint(300, 399)),
            Reply(None, chance.randint(400, 428), b'{"code":"LICENSE_REVOKED","message":"No"}'),
            Reply(None, 200, chance.getrandbits(800).to_bytes(100, "big")),
            Reply(None, 200, b"<html>Log in</html>"),
            Reply(None, 200, good[: chance.randrange(len(good))]),
            Reply(None, 200, b'{"valid":false,"status":"invalid"}'),
            # Of an impostor: nobody has signed it.
            Reply(None, 200, b'{"valid":false,"status":"revoked","rejection":"e30.e30.e30"}'),
            Reply(None, 200, b'{"valid":true,"status":"active"}'),
            Reply(None, 200, b'{"status":"active","leaseEndsAt":"2027-01-15T09:00:00.000Z"}'),
            Reply(None, 200, b'{"valid":true,"status":"active","certificate":"e30.e30.e30"}'),
        ]
    )


class Outage(MachineTestCase):
    def test_stops_no_machine_before_its_certificate_ends_and_none_runs_after_it(self) -> None:
        chance = random.Random(1)
        for machine in range(MACHINES):
            days = chance.randint(1, 30)
            self.time = NOW
            license = self.license(folder=self.folder / str(machine))
            self.replies(active(issue(exp=NOW + days * DAY)))
            license.activate(KEY)
            with mock.patch(
                "license_management_client.client.post", lambda *_: random_reply(chance)
            ):
                for hours in range(6, days * 24, 11):
                    self.time = NOW + hours * 3600
                    self.assertEqual(license.refresh().state, "valid")
                for seconds, state in (-1, "valid"), (0, "ended"), (1, "ended"):
                    self.time = NOW + days * DAY + seconds
                    self.assertEqual(license.refresh().state, state)
                    restarted = self.license(folder=self.folder / str(machine))
                    self.assertEqual(restarted.status().state, state)
            self.replies(active(issue(iat=NOW + days * DAY, exp=NOW + (days + 1) * DAY)))
            self.assertEqual(license.refresh().state, "valid")
