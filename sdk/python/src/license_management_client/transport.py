"""One HTTP request within one deadline."""

from __future__ import annotations

import contextlib
import http.client
import json
import queue
import re
import socket
import ssl
import threading
import urllib.error
import urllib.request
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional

MAX_BODY = 65_536


class Request(NamedTuple):
    """A POST whose response is complete within `timeout` seconds. Redirects are not followed."""

    url: str
    headers: Dict[str, str]
    body: bytes
    timeout: float


class Response(NamedTuple):
    """Header names may be in any case. It may stop reading the body after 64 KiB and one byte."""

    status: int
    headers: Mapping[str, str]
    body: bytes


# Raises TimeoutError, or another exception if there is no response.
Transport = Callable[[Request], Response]


class Reply(NamedTuple):
    """A response, or the reason why there is none."""

    reason: Optional[str] = None
    status: int = 0
    body: bytes = b""
    retry_after: Optional[int] = None
    cause: Optional[BaseException] = None


def post(
    transport: Optional[Transport], url: str, content: Mapping[str, object], timeout: float
) -> Reply:
    """Posts JSON.

    transport: used instead of this module's
    timeout: seconds from the DNS query to the last byte

    Reasons: `timeout`, `no_response`, `untrusted_server`. The body is empty if it is larger than 64 KiB or not needed.
    """
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    request = Request(url, headers, json.dumps(content).encode("ascii"), timeout)
    exchange = _Exchange()
    send = transport or exchange.send
    replies: queue.SimpleQueue[Reply] = queue.SimpleQueue()
    # A socket's timeout restarts with each byte, and a DNS query has none.
    worker = threading.Thread(target=lambda: replies.put(_reply_of(send, request)), daemon=True)
    try:
        worker.start()
        return replies.get(timeout=timeout)
    except RuntimeError as error:
        # No more threads can start, for example while the program exits.
        return Reply("no_response", cause=error)
    except queue.Empty:
        exchange.abort()
        return Reply("timeout", cause=TimeoutError(f"no response within {timeout} s"))


def _reply_of(send: Transport, request: Request) -> Reply:
    try:
        status, headers, body = send(request)
        values = {name.lower(): value for name, value in headers.items()}
        seconds = re.fullmatch("[0-9]{1,9}", values.get("retry-after", ""))
        retry_after = int(seconds[0]) if seconds else None
        return Reply(None, status, b"" if len(body) > MAX_BODY else body, retry_after)
    except Exception as error:  # noqa: BLE001 - of a transport that the program has brought
        cause = error.reason if isinstance(error, urllib.error.URLError) else error
        cause = cause if isinstance(cause, BaseException) else error
        return Reply(_reason_of(cause), cause=cause)


def _reason_of(error: BaseException) -> str:
    if isinstance(error, (socket.timeout, TimeoutError)):
        return "timeout"
    # Other transports, such as requests, wrap it as the cause.
    while error is not None and not isinstance(error, ssl.SSLCertVerificationError):
        error = error.__cause__ or error.__context__
    return "no_response" if error is None else "untrusted_server"


class _Exchange(urllib.request.AbstractHTTPHandler):
    """A request that another thread can abort."""

    http_request = https_request = urllib.request.AbstractHTTPHandler.do_request_

    def __init__(self) -> None:
        super().__init__()
        self._connections: List[_Connection] = []

    def send(self, request: Request) -> Response:
        # Without a redirect handler or an error handler, every status is a response.
        opener = urllib.request.OpenerDirector()
        opener.add_handler(urllib.request.ProxyHandler())
        opener.add_handler(self)
        prepared = urllib.request.Request(request.url, request.body, request.headers)
        with opener.open(prepared, timeout=request.timeout) as response:
            return _read(response)

    def abort(self) -> None:
        for connection in self._connections:
            connection.abort()

    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(self._track(_Connection), request)

    def https_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        context = ssl.create_default_context()
        return self.do_open(self._track(_TlsConnection), request, context=context)

    def _track(self, connection_class: Any) -> Any:
        def connect(host: str, **options: Any) -> _Connection:
            connection: _Connection = connection_class(host, **options)
            self._connections.append(connection)
            return connection

        return connect


class _Connection(http.client.HTTPConnection):
    _is_aborted = False
    _stream: Optional[socket.socket] = None

    def connect(self) -> None:
        super().connect()
        # urllib releases `sock` once the headers have arrived.
        self._stream = self.sock
        if self._is_aborted:
            raise socket.timeout

    def abort(self) -> None:
        self._is_aborted = True
        if self._stream is not None:
            with contextlib.suppress(OSError):
                self._stream.shutdown(socket.SHUT_RDWR)


class _TlsConnection(_Connection, http.client.HTTPSConnection):
    pass


def _read(response: http.client.HTTPResponse) -> Response:
    status = response.status
    # For a redirect, a 429 and a 5xx, the status is enough; the body may be cut off.
    body = _read_body(response) if is_decided_by_body(status) else b""
    return Response(status, dict(response.headers.items()), body)


def is_decided_by_body(status: int) -> bool:
    """Whether a response with this status may come from the service, so that its body counts. 407 comes from a proxy.
    """
    return status == 200 or (400 <= status < 500 and status not in (407, 429))


def _read_body(response: http.client.HTTPResponse) -> bytes:
    body = response.read(MAX_BODY + 1)
    if len(body) > MAX_BODY:
        return b""
    if response.length:
        raise http.client.IncompleteRead(body, response.length)
    return body
