from __future__ import annotations

import struct
import threading
from http.server import BaseHTTPRequestHandler
from socket import SO_LINGER, SOL_SOCKET, gaierror, getaddrinfo, timeout
from threading import Event
from typing import Any, Callable, ContextManager
from unittest import mock

from support import DAY, NOW, MachineTestCase, Reply, active, issue, raw, silent_until_closed


class MissingResponse(MachineTestCase):
    def assert_changes_nothing(self, reason: str, *replies: Reply, **options: Any) -> None:
        self.activated()
        before = self.state_file.read_bytes()
        # One request too many would get a valid certificate.
        self.replies(*replies, active(issue(exp=NOW + 9 * DAY)))
        license = self.license(**options)
        result = license.refresh()
        self.assertEqual((result.state, result.reason), ("valid", reason))
        self.assertEqual(result.services, ["Hosting"])
        self.assertEqual(self.state_file.read_bytes(), before)
        self.assert_state(license, "valid", reason)
        self.assert_state(self.license(), "valid", None)

    def test_is_decided_by_the_status_even_if_the_body_breaks_off(self) -> None:
        for code, reason in (429, "rate_limited"), (503, "server_error"), (302, "not_the_service"):
            with self.subTest(code):
                half = f"HTTP/1.1 {code} Text\r\nContent-Length: 21\r\n\r\n{{".encode()
                self.assert_changes_nothing(reason, raw(half))
                self.assert_changes_nothing(reason, silent_until_closed(self, half))

    def test_of_something_that_is_not_http(self) -> None:
        chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n{"
        for data in (b"SSH-2.0-OpenSSH_9.9\r\n", b"HTTP/1.1 OK\r\n\r\n", chunked):
            with self.subTest(data):
                self.assert_changes_nothing("no_response", raw(data))

    def test_of_a_reset_connection(self) -> None:
        def reset(handler: BaseHTTPRequestHandler) -> None:
            handler.connection.setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))

        self.assert_changes_nothing("no_response", reset)

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

    def test_sends_no_request_after_the_deadline(self) -> None:
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

    def resolving(self, resolve: Callable[..., object]) -> ContextManager[object]:
        """Replaces the name resolution of licenses.example."""
        real = getaddrinfo

        def fake(host: str, *rest: Any) -> object:
            return (resolve if host == "licenses.example" else real)(host, *rest)

        return mock.patch("socket.getaddrinfo", mock.Mock(side_effect=fake))
