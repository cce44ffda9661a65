"""Every SDK passes sdk/vectors.json."""

from __future__ import annotations

import json
import unittest
from pathlib import Path
from typing import Any, Dict

import support  # noqa: F401

from license_management_client.options import check_keys
from license_management_client.stored_state import (
    Received,
    Stored,
    judge_stored,
    with_certificate,
)
from license_management_client.verification import Program, Status, read_certificate, verify

VECTORS = json.loads((Path(__file__).resolve().parents[2] / "vectors.json").read_text("utf-8"))
WITH_END = {None, "license_expired", "certificate_ended"}


def status_of(vector: Dict[str, Any], program: Program) -> Status:
    fingerprint, now = vector["fingerprint"], vector["now"]
    if "earlier" not in vector:
        return verify(
            vector["certificate"],
            program,
            fingerprint,
            rejection=vector["rejection"],
            now=now,
            remembered_time=vector["rememberedTime"],
        )
    stored = Stored()
    for arrival in [*vector["earlier"], vector]:
        text = arrival["certificate"]
        certificate = read_certificate(text, program, fingerprint)
        key = None if arrival["isInstalled"] else "a key"
        received = Received(text, certificate, key)
        stored = with_certificate(stored, received, program, fingerprint, now=now)
    return judge_stored(stored, program, lambda: fingerprint, now=now)


class Vectors(unittest.TestCase):
    def test_there_are_at_least_60(self) -> None:
        self.assertGreaterEqual(len(VECTORS), 60)

    def test_each_has_its_state_and_reason(self) -> None:
        for vector in VECTORS:
            with self.subTest(vector["name"]):
                program = Program(
                    vector["issuer"], vector["product"], check_keys(vector["keys"])
                )
                status = status_of(vector, program)
                expected = vector["expected"]
                self.assertEqual(status.state, expected["state"])
                self.assertEqual(status.reason, expected["reason"])
                self.assertEqual(status.until is not None, status.reason in WITH_END)
                if "until" in expected:
                    self.assertEqual(status.until and status.until.timestamp(), expected["until"])
                if "entitlements" in expected:
                    self.assertEqual(status.entitlements, expected["entitlements"])
                if status.state != "valid":
                    self.assertEqual(status.services + status.entitlements, [])
