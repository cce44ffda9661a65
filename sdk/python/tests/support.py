"""An issuer, a scripted license service and a machine for the tests."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import socket
import ssl
import sys
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, cast
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: E402

from license_management_client import License  # noqa: E402

DAY = 86_400
NOW = 1_800_000_000
LICENSE_END = "2027-06-30T10:15:00.000Z"
LICENSE_END_SECONDS = 1_814_350_500
ISSUER = "65f1c2ab7e4a900123456789"
PRODUCT = "com.example.web-shop"
FINGERPRINT = "b7c1f6a0-5a0d-4b8e-9f55-0d9f6f6a2f11"
KEY = "LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD"


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class SigningKey:
    def __init__(self, seed: int) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(bytes([seed] * 32))
        x = encode(self._key.public_key().public_bytes_raw())
        self.jwk = {"kty": "OKP", "crv": "Ed25519", "x": x}
        members = json.dumps(self.jwk, sort_keys=True, separators=(",", ":"))
        self.kid = encode(hashlib.sha256(members.encode()).digest())

    def issue(
        self,
        *,
        fingerprint: str = FINGERPRINT,
        terms: Optional[Dict[str, Any]] = None,
        **changes: Any,
    ) -> str:
        """A certificate; `changes` replaces claims, `terms` replaces members of its license."""
        header = {"alg": "EdDSA", "typ": "license+jwt", "kid": self.kid}
        sub = changes.get("sub", "665f1c2ab7e4a90012345678")
        bound_to = f"license-certificate:v1\n{ISSUER}\n{sub}\n{fingerprint}"
        claims = {
            "iss": ISSUER,
            "aud": PRODUCT,
            "sub": sub,
            "jti": "1",
            "iat": NOW,
            "exp": NOW + 7 * DAY,
            "machine": encode(hashlib.sha256(bound_to.encode("utf-8", "surrogatepass")).digest()),
            "license": {
                "expiresAt": LICENSE_END,
                "activatedAt": "2026-12-31T10:15:00.000Z",
                "duration": 6,
                "services": ["Hosting"],
                **(terms or {}),
            },
            **changes,
        }
        return self.sign(header, claims)

    def reject(self, name: str, nonce: str, fingerprint: str) -> str:
        """A signed rejection."""
        header = {"alg": "EdDSA", "typ": "license-rejection+jwt", "kid": self.kid}
        sub = "665f1c2ab7e4a90012345678"
        bound_to = f"license-certificate:v1\n{ISSUER}\n{sub}\n{fingerprint}"
        machine = encode(hashlib.sha256(bound_to.encode()).digest())
        claims = {"iss": ISSUER, "aud": PRODUCT, "sub": sub, "iat": NOW, "nonce": nonce}
        return self.sign(header, {**claims, "machine": machine, "status": name})

    def sign(self, *parts: Dict[str, Any]) -> str:
        signed = ".".join(encode(json.dumps(part).encode()) for part in parts)
        return f"{signed}.{encode(self._key.sign(signed.encode()))}"


CURRENT, NEXT, FOREIGN = SigningKey(1), SigningKey(2), SigningKey(3)
issue = CURRENT.issue

Reply = Callable[[BaseHTTPRequestHandler], None]


def reply(code: int, body: object, headers: Optional[Dict[str, str]] = None) -> Reply:
    """A response with this body: bytes are sent as they are, anything else as JSON."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()

    def send(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        for name, value in {"Content-Length": str(len(data)), **(headers or {})}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(data)

    return send


def raw(data: bytes) -> Reply:
    """Sends these bytes, and closes the connection."""
    return lambda handler: cast(None, handler.wfile.write(data))


def silent_until_closed(test: unittest.TestCase, start: bytes = b"", trickle: bytes = b"") -> Reply:
    """Sends `start`, then `trickle` every 10 ms. The test fails unless the client hangs up."""
    is_closed = threading.Event()

    def send(handler: BaseHTTPRequestHandler) -> None:
        handler.connection.settimeout(0.01)
        handler.wfile.write(start)
        while not is_closed.is_set():
            try:
                handler.wfile.write(trickle)
                if handler.connection.recv(1) == b"":
                    is_closed.set()
            except socket.timeout:
                pass
            except OSError:
                is_closed.set()

    test.addCleanup(lambda: test.assertTrue(is_closed.wait(10), "the connection is still open"))
    return send


def active(certificate: object) -> Reply:
    return reply(200, {**validation("active"), "certificate": certificate})


def activated(certificate: object) -> Reply:
    return reply(200, {"success": True, "message": "Done", "certificate": certificate})


def status(name: str) -> Reply:
    return reply(200, validation(name))


def signed_status(name: str, fingerprint: str = FINGERPRINT) -> Reply:
    """A validation that stops the license, signed like the service's."""

    def send(handler: BaseHTTPRequestHandler) -> None:
        nonce = cast(Any, handler).content["nonce"]
        rejection = CURRENT.reject(name, nonce, fingerprint)
        reply(200, {**validation(name), "rejection": rejection})(handler)

    return send


LEASE = 3600


def issue_lease(*, iat: int = NOW, terms: Optional[Dict[str, Any]] = None, **changes: Any) -> str:
    terms = {"leaseSeconds": LEASE, **(terms or {})}
    return issue(terms=terms, **{"iat": iat, "exp": iat + LEASE, **changes})


def validation(name: str) -> Dict[str, Any]:
    return {"valid": name == "active", "status": name, "message": name}


class ScriptedService:
    """Sends the replies in turn, repeating the last one. `requests` contains each path and body."""

    def __init__(self, test: unittest.TestCase, tls: Optional[ssl.SSLContext] = None) -> None:
        self.requests: List[Any] = []
        self.replies: List[Reply] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                self.content = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                service.requests.append((self.path, self.content))
                replies = service.replies
                self.close_connection = True
                with contextlib.suppress(OSError):
                    (replies.pop(0) if len(replies) > 1 else replies[0])(self)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("localhost", 0), Handler)
        if tls:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        self._thread.start()
        self.url = f"{'https' if tls else 'http'}://localhost:{self._server.server_port}"
        test.addCleanup(self.stop)

    @property
    def paths(self) -> List[str]:
        return [path for path, _ in self.requests]

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class MachineTestCase(unittest.TestCase):
    """A machine with a folder, a stopped clock and a scripted service."""

    def setUp(self) -> None:
        parent = tempfile.TemporaryDirectory()
        self.addCleanup(parent.cleanup)
        self.folder = Path(parent.name) / "state"
        self.time: float = NOW
        self.service = ScriptedService(self)
        # Keeps a proxy on this machine from receiving the tests' requests.
        environment = mock.patch.dict("os.environ", {"no_proxy": "*"})
        environment.start()
        self.addCleanup(environment.stop)

    def license(self, **changes: Any) -> License:
        options: Dict[str, Any] = {
            "service": self.service.url,
            "issuer": ISSUER,
            "product": PRODUCT,
            "keys": [CURRENT.jwk, NEXT.jwk],
            "folder": self.folder,
            "fingerprint": FINGERPRINT,
            "now": lambda: self.time,
            **changes,
        }
        return License(**options)

    def replies(self, *replies: Reply) -> None:
        self.service.replies = list(replies)

    def activated(self, **changes: Any) -> License:
        """An activated license with a certificate."""
        self.replies(active(issue(**changes)))
        activated = self.license()
        activated.activate(KEY)
        self.service.requests.clear()
        return activated

    @property
    def state_file(self) -> Path:
        (file,) = self.folder.glob("license-*.json")
        return file

    @property
    def state(self) -> Dict[str, Any]:
        return cast(Dict[str, Any], json.loads(self.state_file.read_bytes()))

    @state.setter
    def state(self, state: Dict[str, Any]) -> None:
        self.state_file.write_text(json.dumps(state))

    def assert_state(self, license: License, state: str, reason: Optional[str]) -> None:
        status = license.status()
        self.assertEqual((status.state, status.reason), (state, reason))

    def assert_no_temporary_files(self) -> None:
        names = [file.name for file in self.folder.iterdir()]
        self.assertEqual([name for name in names if name.count(".") > 1], [])
