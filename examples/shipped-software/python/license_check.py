"""Asks the license service whether this program may run on this machine."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import http.client
import json
import os
import queue
import random
import re
import secrets
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Callable, Mapping, NamedTuple

# Yours, and the same in every version: with another name, every fingerprint is another one.
PRODUCT = b"com.example.web-shop"
GRACE = timedelta(days=7)
TRIES = 3
LONGEST_WAIT = 10.0

MISCONFIGURED, UNCHECKED, REJECTED = 2, 14, 15
REJECTIONS = {
    "expired": (10, "The license has expired: ask your vendor to renew it, then start again."),
    "revoked": (11, "The license has been revoked: ask your vendor for a new license key."),
    "machine_mismatch": (12, "The license is for another machine: ask your vendor to reissue it."),
    "invalid": (13, "The license key is unknown: compare LICENSE_KEY with what your vendor sent."),
}
REJECTED_ACTIVATIONS = {
    "LICENSE_EXPIRED": "expired",
    "LICENSE_REVOKED": "revoked",
    "LICENSE_ON_ANOTHER_MACHINE": "machine_mismatch",
    "LICENSE_NOT_FOUND": "invalid",
}
# What firmware has whose maker never set an id, and what stands in examples.
CONSTANT_IDS = {
    "00020003000400050006000700080009",
    "03000200040005000006000700080009",
    "0123456789abcdef0123456789abcdef",
}


class ConfigurationError(Exception):
    """Its text tells the user what to set."""


class Settings(NamedTuple):
    service: str
    key: str
    folder: Path
    machine_id_file: str | None
    timeout: float
    backoff: float


class Decision(NamedTuple):
    run: bool
    exit_code: int
    message: str


class Response(NamedTuple):
    """What the service said, or the reason why it said nothing."""

    status: str
    expires_at: datetime | None = None
    reason: str = ""


class Reply(NamedTuple):
    """What came back of one request."""

    reason: str
    response: Response | None = None
    retry_after: int | None = None


class State(NamedTuple):
    """What the last good response has left."""

    last_valid_at: datetime
    expires_at: datetime


def check_license(env: Mapping[str, str]) -> Decision:
    """Whether this program may run on this machine."""
    try:
        settings = read_settings(env)
        machine_id = read_machine_id(settings)
    except ConfigurationError as error:
        return Decision(False, MISCONFIGURED, str(error))
    fingerprint = hmac.new(machine_id.encode(), PRODUCT, "sha256").hexdigest()
    response = ask("/validate", fingerprint, settings)
    if response.status == "pending":
        response = ask("/validate/activate", fingerprint, settings)
    now = datetime.now(timezone.utc)
    file = settings.folder / "license.json"
    # The state is of one license on one machine, and worth nothing to another.
    owner = hashlib.sha256(f"{settings.key}\n{fingerprint}".encode(errors="replace")).hexdigest()
    decision = decide(response, read_state(file, owner), now)
    try:
        keep_state(file, owner, response, now)
    except OSError as error:
        warning = f"{decision.message} (LICENSE_STATE_DIR cannot be written: {error.strerror}.)"
        return decision._replace(message=warning)
    return decision


def decide(response: Response, state: State | None, now: datetime) -> Decision:
    """What a response means for the program."""
    if response.status == "active" and response.expires_at:
        return Decision(True, 0, f"Licensed until {iso(response.expires_at)}.")
    if response.status == "rejected":
        bug = f"This program has a bug, tell its vendor: {response.reason}."
        return Decision(False, REJECTED, bug)
    if response.status in REJECTIONS:
        return Decision(False, *REJECTIONS[response.status])

    unchecked = f"The license could not be checked ({response.reason})"
    remedy = "connect this machine to the license service, and start again."
    if state is None:
        return Decision(False, UNCHECKED, f"{unchecked}, and never was before: {remedy}")
    if state.last_valid_at > now:
        return Decision(False, UNCHECKED, f"{unchecked}, and the clock is set back: {remedy}")
    until = min(state.last_valid_at + GRACE, state.expires_at)
    if until <= now:
        return Decision(False, UNCHECKED, f"{unchecked}, offline use ended {iso(until)}: {remedy}")
    return Decision(True, 0, f"{unchecked}: running offline until {iso(until)}.")


def read_settings(env: Mapping[str, str]) -> Settings:
    def text(name: str) -> str:
        if not env.get(name, "").strip():
            raise ConfigurationError(f"Set {name}.")
        return env[name].strip()

    def seconds(name: str, milliseconds: int) -> float:
        if not re.fullmatch("[0-9]{0,6}", env.get(name, "")):
            raise ConfigurationError(f"{name} takes milliseconds, such as {milliseconds}.")
        return int(env.get(name) or milliseconds) / 1000

    service = text("LICENSE_SERVICE_URL").rstrip("/")
    if not re.fullmatch(r"https?://[^\s/][^\s]*", service):
        raise ConfigurationError("LICENSE_SERVICE_URL takes an address: https://licenses.example.")
    return Settings(
        service=service,
        key=text("LICENSE_KEY"),
        folder=Path(text("LICENSE_STATE_DIR")),
        machine_id_file=env.get("MACHINE_ID_FILE"),
        timeout=seconds("LICENSE_TIMEOUT_MS", 5000),
        backoff=seconds("LICENSE_BACKOFF_MS", 500),
    )


def ask(route: str, fingerprint: str, settings: Settings) -> Response:
    question = {"key": settings.key, "fingerprint": fingerprint}
    tries = 0
    while True:
        reply = post_within(settings.timeout, settings.service + route, question)
        if reply.response:
            return reply.response
        wait = min(settings.backoff * 2**tries * random.uniform(0.5, 1), LONGEST_WAIT)
        if reply.retry_after is not None:
            wait = reply.retry_after
        tries += 1
        if tries == TRIES or wait > LONGEST_WAIT:
            return Response("unreachable", reason=reply.reason)
        time.sleep(wait)


def post_within(timeout: float, url: str, question: object) -> Reply:
    """One request in so many seconds; for urllib, they begin anew with each byte that arrives."""
    replies: queue.SimpleQueue[Reply] = queue.SimpleQueue()
    request = threading.Thread(target=lambda: replies.put(post(url, question)), daemon=True)
    request.start()
    try:
        return replies.get(timeout=timeout)
    except queue.Empty:
        return Reply("no response in time")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def post(url: str, question: object) -> Reply:
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(url, json.dumps(question).encode(), headers)
    try:
        try:
            # It ends a request that nobody waits for any more.
            response = urllib.request.build_opener(NoRedirect).open(request, timeout=60)
        except urllib.error.HTTPError as error:
            response = error
        with response:
            body = parse_object(response.read(64 * 1024))
    except (OSError, http.client.HTTPException):
        return Reply("no connection")
    code = response.status
    seconds = re.fullmatch("[0-9]{1,9}", response.headers.get("Retry-After", ""))
    return Reply(
        reason="unreadable response" if code == 200 else f"HTTP {code}",
        response=interpret(code, body),
        retry_after=int(seconds[0]) if seconds else None,
    )


def interpret(code: int, body: dict[str, Any]) -> Response | None:
    """None if the response is not from the license service, but from something in between."""
    if code == 400 and "message" in body:
        return Response("rejected", reason=body["message"])
    if code == 200:
        status = "active" if body.get("success") is True else str(body.get("status"))
    else:
        status = REJECTED_ACTIVATIONS.get(str(body.get("code")), "")
    if status == "active":
        expires_at = parse_time(body.get("expiresAt"))
        return Response(status, expires_at) if expires_at else None
    if status == "pending":
        return Response(status, reason="not activated")
    return Response(status) if status in REJECTIONS else None


def read_state(file: Path, owner: str) -> State | None:
    kept = parse_object(text_of(file))
    last_valid_at = parse_time(kept.get("lastValidAt"))
    expires_at = parse_time(kept.get("expiresAt"))
    if kept.get("owner") != owner or not last_valid_at or not expires_at:
        return None
    return State(last_valid_at, expires_at)


def keep_state(file: Path, owner: str, response: Response, now: datetime) -> None:
    if response.expires_at:
        times = {"lastValidAt": iso(now), "expiresAt": iso(response.expires_at)}
        write_whole(file, json.dumps({"owner": owner, **times}), os.replace)
    elif response.status in REJECTIONS and file.exists():
        # Otherwise, a rejected program would run again as soon as it is offline.
        file.unlink()


def write_whole(file: Path, text: str, place: Callable[[str, Path], None]) -> None:
    """Writes a file for its owner alone, and has `place` give it its name when it is complete."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=file.parent)
    try:
        with open(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(handle)
        place(temporary, file)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)


def read_machine_id(settings: Settings) -> str:
    """The id that the machine's system has, or one that is made once and kept in the folder."""
    named = settings.machine_id_file
    return usable_id(text_of(Path(named)) if named else system_id()) or kept_id(settings.folder)


def usable_id(text: str) -> str | None:
    machine_id = text.strip().lower().replace("-", "")
    is_own = len(set(machine_id)) > 2 and machine_id not in CONSTANT_IDS
    return machine_id if is_own and re.fullmatch("[0-9a-f]{32}", machine_id) else None


def system_id() -> str:
    # The system's id belongs to the image there: every container of it has the same.
    containers = [Path("/.dockerenv"), Path("/run/.containerenv")]
    if any(file.exists() for file in containers) or os.environ.get("KUBERNETES_SERVICE_HOST"):
        return ""
    if sys.platform == "win32":
        import winreg

        path, access = r"SOFTWARE\Microsoft\Cryptography", winreg.KEY_READ | winreg.KEY_WOW64_64KEY
        with contextlib.suppress(OSError):
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, path, 0, access) as key:
                return str(winreg.QueryValueEx(key, "MachineGuid")[0])
    elif sys.platform == "darwin":
        command = ["/usr/sbin/ioreg", "-rd1", "-c", "IOPlatformExpertDevice"]
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            device = subprocess.run(command, capture_output=True, text=True, timeout=5).stdout
            found = re.search('"IOPlatformUUID" = "(.+)"', device)
            return found[1] if found else ""
    return text_of(Path("/etc/machine-id"))


def kept_id(folder: Path) -> str:
    file = folder / "machine-id"
    try:
        # A link never replaces: of two first starts at once, both take the id of the first.
        with contextlib.suppress(FileExistsError):
            if not file.exists():
                write_whole(file, secrets.token_hex(16), os.link)
    except OSError as error:
        sentence = f"LICENSE_STATE_DIR cannot be written: {error.strerror}."
        raise ConfigurationError(sentence) from None
    machine_id = usable_id(text_of(file))
    if machine_id is None:
        raise ConfigurationError(f"The file {file} is damaged: restore it, or remove it.")
    return machine_id


def text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def parse_object(text: str | bytes) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def parse_time(text: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    except ValueError:
        return None
    return moment if moment.tzinfo else None


def iso(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def main() -> int:
    decision = check_license(os.environ)
    if not decision.run:
        print(decision.message, file=sys.stderr)
        return decision.exit_code
    print(decision.message)
    # Here your program begins.
    return 0


if __name__ == "__main__":
    sys.exit(main())
