from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any, Dict, get_type_hints
from unittest import mock

from support import CURRENT, NEXT, MachineTestCase

from license_management_client import License, LicenseError
from license_management_client.options import LicenseOptions
from license_management_client.transport import Reply

JWK = CURRENT.jwk


class Options(MachineTestCase):
    """Values that only Python accepts or rejects. The texts are in the scenarios that all SDKs share."""

    def assert_wrong(self, name: str, *values: Any) -> None:
        for value in values:
            with self.subTest(value=value):
                with self.assertRaisesRegex(LicenseError, f"^{name} .+") as caught:
                    self.license(**{name: value})
                self.assertEqual(caught.exception.code, "option")

    def test_of_another_type_fail(self) -> None:
        self.assert_wrong("service", None, b"https://licenses.example")
        self.assert_wrong("issuer", None, 1)
        self.assert_wrong("product", None, 1)
        self.assert_wrong("keys", None, (), "text", b"bytes", JWK, {"keys": [JWK]}, 1)
        self.assert_wrong("folder", None, Path("state"), b"/state", 1, "/\ud800")
        self.assert_wrong("fingerprint", "", 1, b"a" * 16)
        self.assert_wrong("machine_name", 1, b"a")

    def test_of_a_key_of_another_type_name_its_position(self) -> None:
        for key in (None, JWK["x"], {**JWK, "x": None}, {**JWK, "x": int("1" * 43)}):
            with self.subTest(key=key):
                with self.assertRaisesRegex(LicenseError, r"^keys\[1\] .+"):
                    self.license(keys=[NEXT.jwk, key])

    def test_of_keys_in_a_tuple_are_accepted(self) -> None:
        self.license(keys=(JWK,))

    def test_that_are_optional_may_be_none(self) -> None:
        self.license(fingerprint=None, machine_name=None)

    def test_of_a_wrong_timeout_fail(self) -> None:
        self.assert_wrong("timeout", None, 0, -1, 600.1, "5", True, float("nan"), float("inf"))

    def test_have_a_default_timeout_of_five_seconds(self) -> None:
        for given, seconds in (({}, 5.0), ({"timeout": 600}, 600)):
            with mock.patch("license_management_client.client.post") as post:
                post.return_value = Reply("timeout")
                with self.assertRaises(LicenseError):
                    self.license(**given).activate("key")
            self.assertEqual(post.call_args.args[3], seconds)

    def test_of_a_wrong_clock_fail(self) -> None:
        self.assert_wrong("now", None, 1)

    def test_that_are_unknown_or_missing_are_named(self) -> None:
        self.assert_wrong("retries", 3, None)
        options: Dict[str, Any] = {
            "service": self.service.url,
            "issuer": "1",
            "product": "1",
            "keys": [JWK],
            "folder": "/",
        }
        License(**options)
        for name in options:
            with self.subTest(name):
                rest = {other: options[other] for other in options if other != name}
                with self.assertRaisesRegex(LicenseError, f"^{name} .+") as caught:
                    License(**rest)
                self.assertEqual(caught.exception.code, "option")

    def test_are_not_changed(self) -> None:
        keys = [CURRENT.jwk, NEXT.jwk]
        before = copy.deepcopy(keys)
        self.license(keys=keys)
        self.assertEqual(keys, before)


class TypeHints(MachineTestCase):
    def test_are_there_for_every_method(self) -> None:
        for name in ("__init__", "activate", "refresh", "status", "install", "keep_fresh"):
            self.assertIn("return", get_type_hints(getattr(License, name)))
        self.assertIn("transport", get_type_hints(LicenseOptions))


class Error(MachineTestCase):
    def test_survives_pickling(self) -> None:
        error = pickle.loads(pickle.dumps(LicenseError("timeout", "Text", 3)))
        self.assertEqual((error.code, error.message, error.retry_after), ("timeout", "Text", 3))
        self.assertEqual(str(error), "Text")
