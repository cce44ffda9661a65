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
from typing import Any, List, Mapping, NamedTuple, Optional

MAX_BODY = 65_536


class Reply(NamedTuple):
    """A response, or the reason why there is none."""

    reason: Optional[str] = None
    status: int = 0
    body: bytes = b""
    retry_after: Optional[int] = None


def post(url: str, content: Mapping[str, object], timeout: float) -> Reply:
    """Posts JSON, and follows no redirect.

    timeout: seconds from the DNS query to the last byte

    Reasons: `timeout`, `no_response`. The body is empty if it is larger than 64 KiB, or not needed.
    """
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    request = urllib.request.Request(url, json.dumps(content).encode("ascii"), headers)
    exchange = _Exchange()
    replies: queue.SimpleQueue[Reply] = queue.SimpleQueue()
    # A socket's timeout begins anew with each byte, and a DNS query has none.
    worker = threading.Thread(
        target=lambda: replies.put(exchange.run(request, timeout)), daemon=True
    )
    try:
        worker.start()
        return replies.get(timeout=timeout)
    except RuntimeError:
        # No thread can start any more, such as while the program exits.
        return Reply("no_response")
    except queue.Empty:
        exchange.abort()
        return Reply("timeout")


class _Exchange(urllib.request.AbstractHTTPHandler):
    """A request that another thread can abort."""

    http_request = https_request = urllib.request.AbstractHTTPHandler.do_request_

    def __init__(self) -> None:
        super().__init__()
        self._connections: List[_Connection] = []

    def run(self, request: urllib.request.Request, timeout: float) -> Reply:
        # Without a redirect handler and an error handler, every status is a response.
        opener = urllib.request.OpenerDirector()
        opener.add_handler(urllib.request.ProxyHandler())
        opener.add_handler(self)
        try:
            with opener.open(request, timeout=timeout) as response:
                return _read(response)
        except urllib.error.URLError as error:
            return Reply("timeout" if isinstance(error.reason, socket.timeout) else "no_response")
        except socket.timeout:
            return Reply("timeout")
        except (OSError, http.client.HTTPException, ValueError):
            return Reply("no_response")

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
        # urllib lets go of `sock` once the headers have arrived.
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


def _read(response: http.client.HTTPResponse) -> Reply:
    status = response.status
    # A redirect, a 429 and a 5xx say all by their status, though the body may break off.
    has_body = status == 200 or (400 <= status < 500 and status != 429)
    body = _read_body(response) if has_body else b""
    seconds = re.fullmatch("[0-9]{1,9}", response.headers.get("Retry-After", ""))
    retry_after = int(seconds[0]) if seconds else None
    return Reply(None, status, body, retry_after)


def _read_body(response: http.client.HTTPResponse) -> bytes:
    body = response.read(MAX_BODY + 1)
    if len(body) > MAX_BODY:
        return b""
    if response.length:
        raise http.client.IncompleteRead(body, response.length)
    return body
