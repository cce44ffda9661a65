from __future__ import annotations

import json
import struct
import threading
from http.server import BaseHTTPRequestHandler
from socket import SO_LINGER, SOL_SOCKET, gaierror, getaddrinfo, socket, timeout
from threading import Event
from typing import Any, Callable, ContextManager, Sequence
from unittest import mock

from support import (
    DAY,
    FOREIGN,
    NOW,
    MachineTestCase,
    Reply,
    active,
    issue,
    raw,
    rejected,
    reply,
    silent_until_closed,
    status,
)


class MissingResponse(MachineTestCase):
    def assert_changes_nothing(self, reason: str, *replies: Reply, **options: Any) -> None:
        self.activated()
        before = self.state_file.read_bytes()
        # A request too many would get a good certificate.
        self.replies(*replies, active(issue(exp=NOW + 9 * DAY)))
        license = self.license(**options)
        result = license.refresh()
        self.assertEqual((result.state, result.reason), ("valid", reason))
        self.assertEqual(result.services, ["Hosting"])
        self.assertEqual(self.state_file.read_bytes(), before)
        self.assert_state(license, "valid", reason)
        self.assert_state(self.license(), "valid", None)

    def assert_each_changes_nothing(self, reason: str, replies: Sequence[Reply]) -> None:
        for index, scripted in enumerate(replies):
            with self.subTest(index=index):
                self.assert_changes_nothing(reason, scripted)

    def test_of_a_limited_request(self) -> None:
        self.assert_each_changes_nothing(
            "rate_limited",
            [reply(429, {"status": "revoked"}, {"Retry-After": "60"}), reply(429, b"")],
        )

    def test_of_a_failing_server(self) -> None:
        self.assert_each_changes_nothing(
            "server_error", [reply(500, {"status": "revoked"}), reply(503, b""), reply(599, b"")]
        )

    def test_of_a_rejected_request(self) -> None:
        self.assert_each_changes_nothing(
            "request_rejected",
            [rejected(400, "VALIDATION_ERROR"), reply(404, b"<html>"), reply(407, b"")],
        )

    def test_of_a_rejected_activation(self) -> None:
        for code in ("LICENSE_REVOKED", "LICENSE_EXPIRED", "LICENSE_ON_ANOTHER_MACHINE"):
            with self.subTest(code):
                self.assert_changes_nothing(
                    "request_rejected", status("pending"), rejected(403, code)
                )

    def test_of_something_else_than_the_service(self) -> None:
        self.assert_each_changes_nothing(
            "not_the_service",
            [
                reply(302, b"", {"Location": f"{self.service.url}/validate"}),
                reply(307, b"", {"Location": f"{self.service.url}/validate"}),
                reply(200, b"<html>Log in to the network of the hotel</html>"),
                reply(200, b""),
                reply(200, b"\xff"),
                reply(200, b"null"),
                reply(200, b"[]"),
                reply(200, b'"revoked"'),
                reply(200, b"[" * 60_000),
                reply(200, b'{"status": "revoked", "message": NaN}'),
                reply(200, {}),
                reply(200, {"status": ["revoked"]}),
                reply(200, {"status": "REVOKED"}),
                reply(200, {"success": 1}),
                reply(201, {"status": "revoked"}),
                reply(202, {"status": "active", "certificate": issue(exp=NOW + 9 * DAY)}),
                reply(204, b""),
                raw(b"HTTP/1.1 200 OK\r\nContent-Le"),
            ],
        )

    def test_of_a_response_that_is_too_large(self) -> None:
        too_large = {"status": "revoked", "message": " " * 65_536}
        chunks = b"10000\r\n" + b" " * 65_536 + b"\r\n1\r\n \r\n0\r\n\r\n"
        chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        self.assert_each_changes_nothing(
            "not_the_service", [reply(200, too_large), raw(chunked + chunks)]
        )
        self.assert_changes_nothing("rate_limited", reply(429, too_large))
        self.assert_changes_nothing("server_error", reply(503, too_large))
        self.assert_changes_nothing("request_rejected", reply(404, too_large))

    def test_does_not_include_a_response_of_64_kib(self) -> None:
        license = self.activated()
        later = issue(exp=NOW + 8 * DAY)
        body = json.dumps({"status": "active", "certificate": later}).encode()
        self.replies(reply(200, body.ljust(65_536)))
        self.assertIsNone(license.refresh().reason)
        self.assertEqual(self.state["certificate"], later)

    def test_of_an_unknown_key(self) -> None:
        self.assert_changes_nothing("unknown_key", status("invalid"))

    def test_of_a_service_without_certificates(self) -> None:
        without = reply(200, {"valid": True, "status": "active"})
        self.assert_each_changes_nothing("no_certificate", [without, active(None)])

    def test_of_a_certificate_that_does_not_verify(self) -> None:
        self.assert_each_changes_nothing(
            "bad_certificate",
            [
                active(""),
                active(True),
                active({}),
                active(issue() + "\n"),
                active(FOREIGN.issue()),
                active(issue(aud="another")),
                active(issue(fingerprint="of another machine")),
            ],
        )

    def test_of_half_a_response(self) -> None:
        half = b'{"status": "revoked"'
        self.assert_each_changes_nothing(
            "no_response",
            [
                raw(b""),
                raw(b"HTTP/1.1 200 OK\r\nContent-Length: 21\r\n\r\n" + half),
                raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n" + half),
            ],
        )

    def test_is_known_by_the_status_alone_though_the_body_breaks_off(self) -> None:
        for code, reason in (429, "rate_limited"), (503, "server_error"), (302, "not_the_service"):
            with self.subTest(code):
                half = f"HTTP/1.1 {code} Text\r\nContent-Length: 21\r\n\r\n{{".encode()
                self.assert_changes_nothing(reason, raw(half))
                self.assert_changes_nothing(reason, silent_until_closed(self, half))

    def test_of_something_that_is_not_http(self) -> None:
        self.assert_each_changes_nothing(
            "no_response", [raw(b"SSH-2.0-OpenSSH_9.9\r\n"), raw(b"HTTP/1.1 OK\r\n\r\n")]
        )

    def test_of_a_reset_connection(self) -> None:
        def reset(handler: BaseHTTPRequestHandler) -> None:
            handler.connection.setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))

        self.assert_changes_nothing("no_response", reset)

    def test_of_a_port_where_nothing_listens(self) -> None:
        with socket() as unused:
            unused.bind(("127.0.0.1", 0))
            service = f"http://127.0.0.1:{unused.getsockname()[1]}"
            self.assert_changes_nothing("no_response", service=service)

    def test_of_a_host_that_does_not_exist(self) -> None:
        with self.resolving(mock.Mock(side_effect=gaierror)):
            self.assert_changes_nothing("no_response", service="https://licenses.example")

    def test_of_a_host_name_that_cannot_be_encoded(self) -> None:
        for host in ("licenses..example", "a" * 64):
            self.assert_changes_nothing("no_response", service=f"https://{host}")

    def test_is_a_timeout_if_the_socket_notices_it_first(self) -> None:
        for place in ("socket.create_connection", "http.client.HTTPConnection.getresponse"):
            with self.subTest(place):
                license = self.activated()
                with mock.patch(place, side_effect=timeout):
                    license.refresh()
                self.assert_state(license, "valid", "timeout")

    def test_of_a_server_without_tls(self) -> None:
        service = self.service.url.replace("http:", "https:")
        self.assert_changes_nothing("no_response", service=service)

    def test_of_a_silent_server(self) -> None:
        self.assert_changes_nothing("timeout", silent_until_closed(self), timeout=0.2)

    def test_of_a_body_that_trickles(self) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n"
        self.assert_changes_nothing("timeout", silent_until_closed(self, head, b" "), timeout=0.2)

    def test_of_headers_that_trickle(self) -> None:
        head = b"HTTP/1.1 200 OK\r\nX-Trickle: "
        self.assert_changes_nothing("timeout", silent_until_closed(self, head, b" "), timeout=0.2)

    def test_of_a_name_server_that_does_not_respond(self) -> None:
        responds = Event()
        self.addCleanup(responds.set)

        def resolve(*_: object) -> None:
            responds.wait()
            raise gaierror

        with self.resolving(resolve):
            self.assert_changes_nothing("timeout", service="https://licenses.example", timeout=0.2)

    def test_sends_no_request_once_the_deadline_is_over(self) -> None:
        license = self.activated()
        late = self.license(timeout=0.2)
        responds = Event()

        def resolve(*arguments: Any) -> object:
            responds.wait()
            return getaddrinfo(*arguments)

        before = threading.enumerate()
        with mock.patch("socket.getaddrinfo", resolve):
            self.assertEqual(late.refresh().reason, "timeout")
            responds.set()
            for thread in threading.enumerate():
                if thread not in before:
                    thread.join()
        self.assertEqual(self.service.requests, [])
        self.assert_state(license, "valid", None)

    def test_of_a_program_that_can_start_no_thread(self) -> None:
        license = self.activated()
        with mock.patch("threading.Thread.start", side_effect=RuntimeError):
            license.refresh()
        self.assert_state(license, "valid", "no_response")

    def test_ends_with_the_next_good_response(self) -> None:
        license = self.activated()
        self.replies(reply(500, b""), active(issue()))
        license.refresh()
        self.assertEqual(license.refresh().reason, None)

    def resolving(self, resolve: Callable[..., object]) -> ContextManager[object]:
        """Replaces the name resolution of licenses.example."""
        real = getaddrinfo

        def fake(host: str, *rest: Any) -> object:
            return (resolve if host == "licenses.example" else real)(host, *rest)

        return mock.patch("socket.getaddrinfo", mock.Mock(side_effect=fake))
