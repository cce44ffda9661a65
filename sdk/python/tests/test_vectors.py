"""Every SDK passes sdk/vectors.json."""

from __future__ import annotations

import json
import unittest
from pathlib import Path

import support  # noqa: F401

from license_management_client.options import check_keys
from license_management_client.verification import Program, verify

VECTORS = json.loads((Path(__file__).resolve().parents[2] / "vectors.json").read_text("utf-8"))
WITH_END = {None, "license_expired", "certificate_ended"}


class Vectors(unittest.TestCase):
    def test_there_are_at_least_60(self) -> None:
        self.assertGreaterEqual(len(VECTORS), 60)

    def test_each_has_its_state_and_reason(self) -> None:
        for vector in VECTORS:
            with self.subTest(vector["name"]):
                program = Program(
                    vector["issuer"], vector["product"], check_keys(vector["keys"])
                )
                status = verify(
                    vector["certificate"],
                    program,
                    vector["fingerprint"],
                    rejection=vector["rejection"],
                    now=vector["now"],
                    remembered_time=vector["rememberedTime"],
                )
                expected = vector["expected"]
                self.assertEqual(status.state, expected["state"])
                self.assertEqual(status.reason, expected["reason"])
                self.assertEqual(status.until is not None, status.reason in WITH_END)
                if "entitlements" in expected:
                    self.assertEqual(status.entitlements, expected["entitlements"])
                if status.state != "valid":
                    self.assertEqual(status.services + status.entitlements, [])
