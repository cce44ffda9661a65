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
    def assert_wrong(self, name: str, *values: Any) -> None:
        for value in values:
            with self.subTest(value=value):
                with self.assertRaisesRegex(LicenseError, f"^{name} .+") as caught:
                    self.license(**{name: value})
                self.assertEqual(caught.exception.code, "option")

    def test_of_a_wrong_service_fail(self) -> None:
        self.assert_wrong(
            "service",
            None,
            "",
            b"https://licenses.example",
            "licenses.example",
            "ftp://licenses.example",
            "http://licenses.example",
            "http://localhost.example",
            "http://127.0.0.1.example",
            "http://127.0.0.2",
            "http://192.168.0.1",
            "ftp://localhost",
            "https://",
            "https:///path",
            "https:licenses.example",
            "https:\\\\licenses.example",
            "https://licenses.example\\path",
            "https://user@licenses.example",
            "https://:password@licenses.example",
            "https://licenses.example/@path",
            "https://licenses.example?",
            "https://licenses.example?tenant=1",
            "https://licenses.example#",
            "https://licenses.example/#top",
            "https://licenses.example:",
            "https://licenses.example:port",
            "https://licenses.example:0",
            "https://licenses.example:65536",
            "https://[::1",
            " https://licenses.example",
            "https://licenses.example ",
            "https://licenses.example\n",
            "https://licenses.\texample",
            "https://licenses.example/a b",
            "https://lizenzen.exämple",
            "http://127.1",
            "http://%6cocalhost",
        )

    def test_of_a_right_service_are_accepted(self) -> None:
        for service in (
            "https://licenses.example",
            "https://licenses.example:8443/path/",
            "HTTPS://licenses.example",
            "https://192.0.2.1",
            "https://[2001:db8::1]:8443/",
            "http://localhost:3000",
            "http://127.0.0.1",
            "http://[::1]:3000/",
        ):
            with self.subTest(service):
                self.license(service=service)

    def test_of_a_wrong_issuer_fail(self) -> None:
        self.assert_wrong("issuer", None, "", 1, "a\nb", "a b", "ä", "a" * 129)

    def test_of_a_wrong_product_fail(self) -> None:
        self.assert_wrong("product", None, "", 1, ".shop", "shop-", "a b", "shop\n", "ä", "a" * 65)

    def test_of_wrong_keys_fail(self) -> None:
        self.assert_wrong("keys", None, [], (), "text", b"bytes", JWK, {"keys": [JWK]}, 1)

    def test_of_a_wrong_key_name_its_place(self) -> None:
        x = JWK["x"]
        for key in (
            None,
            x,
            {},
            {**JWK, "d": "A" * 43},
            {**JWK, "kty": "EC"},
            {**JWK, "crv": "Ed448"},
            {**JWK, "crv": "X25519"},
            {**JWK, "x": None},
            {**JWK, "x": int("1" * 43)},
            {**JWK, "x": ""},
            {**JWK, "x": x[:-1]},
            {**JWK, "x": f"{x}="},
            {**JWK, "x": f"{x}AAAA"},
            {**JWK, "x": x[:-1] + "B"},
            {**JWK, "x": "+" * 42 + "A"},
            NEXT.jwk,
        ):
            with self.subTest(key=key):
                with self.assertRaisesRegex(LicenseError, r"^keys\[1\] .+"):
                    self.license(keys=[NEXT.jwk, key])

    def test_of_keys_with_further_members_are_accepted(self) -> None:
        self.license(keys=({**JWK, "kid": "anything", "use": "sig", "alg": "EdDSA"},))

    def test_of_a_wrong_folder_fail(self) -> None:
        self.assert_wrong(
            "folder", None, "", "state", "./state", Path("state"), b"/state", 1, "/a\0b", "/\ud800"
        )

    def test_of_a_wrong_fingerprint_fail(self) -> None:
        self.assert_wrong("fingerprint", "", "a" * 15, "a" * 257, "ä" * 16, 1, b"a" * 16)
        for fingerprint in (" " + "a" * 16, "a" * 16 + " ", "a\n" * 16, "a" * 16 + "\n"):
            self.assert_wrong("fingerprint", fingerprint)

    def test_of_a_right_fingerprint_are_accepted(self) -> None:
        for fingerprint in ("a" * 16, "a" * 256, "a b ~!" * 4, None):
            with self.subTest(fingerprint):
                self.license(fingerprint=fingerprint)

    def test_of_a_wrong_machine_name_fail(self) -> None:
        self.assert_wrong("machine_name", "", "a" * 101, "a\nb", "a\x7f", "a\x85", 1, b"a")

    def test_of_a_right_machine_name_are_accepted(self) -> None:
        for name in ("a", "\U0001f4bb" * 100, None):
            with self.subTest(name):
                self.license(machine_name=name)

    def test_of_a_wrong_timeout_fail(self) -> None:
        self.assert_wrong("timeout", None, 0, -1, 600.1, "5", True, float("nan"), float("inf"))

    def test_have_a_timeout_of_five_seconds_unless_they_set_another(self) -> None:
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
