"""Derives the fingerprint of this machine."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
import subprocess
import sys
from pathlib import Path
from typing import Optional

from .errors import LicenseError
from .files import remove_temporary, write_whole
from .folder_lock import FolderLock
from .regular_file import read_regular_file

# Placeholder ids of firmware, and the id used in documentation.
CONSTANT_IDS = {
    "00020003000400050006000700080009",
    "03000200040005000006000700080009",
    "0123456789abcdef0123456789abcdef",
}
CONTAINER_MARKERS = (Path("/.dockerenv"), Path("/run/.containerenv"))
MACHINE_ID_FILE = Path("/etc/machine-id")
# How often to query an id before giving up.
ATTEMPTS = 3


def derive_fingerprint(folder: Path, product: str, *, allow_random_id: bool) -> str:
    """HMAC-SHA-256 of the product, keyed with the machine's id, in hexadecimal.

    A machine without an id, and every container, gets a random one, stored in the folder.
    Raises OSError, or LicenseError: `machine_id` if the system's id is temporarily unavailable, or if it has none and a random one is not allowed; `folder` if the stored id is damaged.
    """
    machine_id = _usable_id(_query_system())
    if machine_id is None:
        if not allow_random_id:
            raise LicenseError("machine_id", "This machine has no unique id.")
        machine_id = _kept_id(folder)
    return hmac.new(machine_id.encode("ascii"), product.encode("ascii"), "sha256").hexdigest()


def request_text(product: str, fingerprint: str) -> str:
    """JSON for the vendor. Its `check` catches typing errors."""
    check = hashlib.sha256(f"license-request:v1\n{product}\n{fingerprint}".encode("ascii"))
    content = {"fingerprint": fingerprint, "product": product, "check": check.hexdigest()[:8]}
    return json.dumps(content, separators=(",", ":"))


def _query_system() -> str:
    """Replacing a temporarily unavailable id with a random one would count as another machine."""
    cause: Optional[BaseException] = None
    for _ in range(ATTEMPTS):
        try:
            return _system_id()
        except (OSError, subprocess.SubprocessError) as error:
            cause = error
    message = "The id of this machine cannot be read at the moment. Try again."
    raise LicenseError("machine_id", message) from cause


def _usable_id(text: str) -> Optional[str]:
    machine_id = text.strip().lower().replace("-", "")
    is_own = len(set(machine_id)) > 2 and machine_id not in CONSTANT_IDS
    return machine_id if is_own and re.fullmatch("[0-9a-f]{32}", machine_id) else None


def _system_id() -> str:
    """The id of the system, or a text that is not an id. Raises OSError or SubprocessError."""
    if sys.platform == "win32":
        return _windows_id()
    if sys.platform == "darwin":
        return _mac_id()
    if sys.platform == "linux":
        # The id inside a container belongs to its image: all its containers share it.
        is_container = any(file.exists() for file in CONTAINER_MARKERS)
        if is_container or os.environ.get("KUBERNETES_SERVICE_HOST"):
            return ""
    try:
        machine_id = MACHINE_ID_FILE.read_bytes().decode("ascii", "replace")
    except FileNotFoundError:
        return ""
    if machine_id.strip() == "uninitialized":
        # The system's first start, before the id is written.
        raise OSError("the system has not been set up yet")
    return machine_id


def _windows_id() -> str:
    # For type checkers, because other systems have no winreg.
    if sys.platform == "win32":
        import winreg

        path, access = r"SOFTWARE\Microsoft\Cryptography", winreg.KEY_READ | winreg.KEY_WOW64_64KEY
        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, path, 0, access) as key:
            return str(winreg.QueryValueEx(key, "MachineGuid")[0])
    return ""


def _mac_id() -> str:
    command = ["/usr/sbin/ioreg", "-rd1", "-c", "IOPlatformExpertDevice"]
    device = subprocess.run(command, capture_output=True, check=True, timeout=5).stdout
    found = re.search(b'"IOPlatformUUID" = "(.+)"', device)
    if found is None:
        raise OSError("the command has printed no id")
    return found[1].decode("ascii", "replace")


def _kept_id(folder: Path) -> str:
    file = folder / "machine-id"
    if not file.exists():
        with FolderLock(folder).hold() as check:
            remove_temporary(file)
            # If two processes start at the same time, both use the id of the first.
            if not file.exists():
                write_whole(file, secrets.token_hex(16).encode("ascii"), check)
    machine_id = _usable_id((read_regular_file(file) or b"").decode("ascii", "replace"))
    if machine_id is None:
        raise LicenseError("folder", f"The file {file} is damaged. Restore or delete it.")
    return machine_id
