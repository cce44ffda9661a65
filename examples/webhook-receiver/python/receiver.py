"""Receives webhooks of the license service, verifies their signatures, and prints each event once. Only the standard library."""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
TOLERANCE = 5 * 60
MAX_BODY = 64 * 1024
# The ids of received messages: store them in your database for a month.
SEEN = set()


def is_genuine(headers, body):
    """Whether the service signed these bytes within the last minutes."""
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE:
        return False
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(KEY, signed, hashlib.sha256)).decode()
    signatures = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(one.encode(), expected.encode()) for one in signatures)


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        length = int(self.headers.get("content-length", 0))
        body = self.rfile.read(min(length, MAX_BODY))
        if not is_genuine(self.headers, body):
            self.respond(400)
            return
        message_id = self.headers["webhook-id"]
        if message_id not in SEEN:
            SEEN.add(message_id)
            message = json.loads(body)
            print(message["type"], message["data"]["subject"]["name"], flush=True)
        self.respond(204)

    def respond(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        """Prints the events, not the requests."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Receiver)
    print(f"Listening on port {server.server_port}", flush=True)
    server.serve_forever()
