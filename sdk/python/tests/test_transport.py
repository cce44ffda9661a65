from __future__ import annotations

import datetime
import json
import socket
import ssl
import threading
from pathlib import Path
from typing import List, Optional
from unittest import mock

from support import KEY, MachineTestCase, ScriptedService, active, issue, silent_until_closed

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from license_management_client import LicenseError, Request, Response


def write_certificate(file: Path) -> None:
    """A key and a self-signed certificate for localhost."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.timezone.utc)
    day = datetime.timedelta(days=1)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - day)
        .not_valid_after(now + day)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    pem, pkcs8 = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    file.write_bytes(key.private_bytes(pem, pkcs8, plain) + certificate.public_bytes(pem))


class Tls(MachineTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.certificate = self.folder.with_name("localhost.pem")
        write_certificate(self.certificate)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate)
        self.service = ScriptedService(self, context)
        self.replies(active(issue()))

    def fails(self, code: str, **options: object) -> None:
        with self.assertRaises(LicenseError) as caught:
            self.license(**options).activate(KEY)
        self.assertEqual(caught.exception.code, code)

    def trusting(self) -> "mock._patch_dict":
        return mock.patch.dict("os.environ", {"SSL_CERT_FILE": str(self.certificate)})

    def test_is_used_for_https(self) -> None:
        with self.trusting():
            self.assertEqual(self.license().activate(KEY).state, "valid")

    def test_needs_a_trusted_certificate(self) -> None:
        self.fails("untrusted_server")
        self.assertEqual(self.service.requests, [])

    def test_needs_a_certificate_for_the_host(self) -> None:
        with self.trusting():
            self.fails("untrusted_server", service=self.service.url.replace("localhost", "127.0.0.1"))
        self.assertEqual(self.service.requests, [])

    def test_stops_at_the_deadline_while_the_body_trickles(self) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n"
        self.replies(silent_until_closed(self, head, b" "))
        with self.trusting():
            self.fails("timeout", timeout=0.3)


class Cause(MachineTestCase):
    def cause(self, **options: object) -> Optional[BaseException]:
        with self.assertRaises(LicenseError) as caught:
            self.license(**options).activate(KEY)
        return caught.exception.__cause__

    def test_tells_dns_tls_a_closed_port_and_a_timeout_apart(self) -> None:
        closed = "http://127.0.0.1:2"
        self.assertIsInstance(self.cause(service=closed), ConnectionRefusedError)
        with mock.patch("socket.getaddrinfo", side_effect=socket.gaierror):
            self.assertIsInstance(self.cause(service="https://licenses.example"), socket.gaierror)
        without_tls = self.service.url.replace("http:", "https:")
        self.assertIsInstance(self.cause(service=without_tls), ssl.SSLError)
        self.replies(silent_until_closed(self))
        self.assertIsInstance(self.cause(timeout=0.2), TimeoutError)


class OwnTransport(MachineTestCase):
    """The option `transport`."""

    def test_sends_the_requests(self) -> None:
        requests: List[Request] = []

        def send(request: Request) -> Response:
            requests.append(request)
            body = json.dumps({"status": "active", "certificate": issue()}).encode()
            return Response(200, {"Content-Type": "application/json"}, body)

        self.assertEqual(self.license(transport=send, timeout=7).activate(KEY).state, "valid")
        ((url, headers, body, timeout),) = requests
        self.assertEqual((url, timeout), (f"{self.service.url}/validate", 7))
        self.assertEqual(headers["Content-Type"], "application/json")
        self.assertEqual(json.loads(body)["key"], KEY)
        self.assertEqual(self.service.requests, [])

    def test_finds_retry_after_in_headers_of_any_case(self) -> None:
        limited = Response(429, {"rEtRy-AfTeR": "42"}, b"")
        with self.assertRaises(LicenseError) as caught:
            self.license(transport=lambda _: limited).activate(KEY)
        error = caught.exception
        self.assertEqual((error.code, error.retry_after), ("rate_limited", 42))

    def test_is_no_response_or_a_timeout_whatever_it_raises(self) -> None:
        self.activated()
        for error, reason in (
            (ZeroDivisionError(), "no_response"),
            (ConnectionResetError(), "no_response"),
            (TimeoutError(), "timeout"),
        ):
            with self.subTest(reason):
                license = self.license(transport=mock.Mock(side_effect=error))
                self.assertEqual(license.refresh().reason, reason)

    def test_stops_at_the_deadline_even_if_it_never_returns(self) -> None:
        self.activated()
        ended = threading.Event()
        self.addCleanup(ended.set)
        license = self.license(transport=lambda _: ended.wait(), timeout=0.1)
        self.assertEqual(license.refresh().reason, "timeout")

    def test_is_limited_to_64_kib_and_to_none_for_errors(self) -> None:
        self.activated()
        body = json.dumps({"status": "active", "certificate": issue()}).encode()
        for size, reason in ((65_536, None), (65_537, "not_the_service")):
            large = Response(200, {}, body.ljust(size))
            self.assertEqual(self.license(transport=lambda _, r=large: r).refresh().reason, reason)


class Proxy(MachineTestCase):
    def test_is_taken_from_the_environment(self) -> None:
        self.replies(active(issue()))
        with mock.patch.dict("os.environ", {"http_proxy": self.service.url, "no_proxy": ""}):
            self.license(service="http://localhost:2").activate(KEY)
        self.assertEqual(self.service.paths, ["http://localhost:2/validate"])


class Address(MachineTestCase):
    def test_may_have_a_path_and_a_trailing_slash(self) -> None:
        self.replies(active(issue()))
        self.license(service=f"{self.service.url}/licenses/").activate(KEY)
        self.assertEqual(self.service.paths, ["/licenses/validate"])
