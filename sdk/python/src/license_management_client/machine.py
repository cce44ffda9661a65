"""Derives the fingerprint of this machine."""

from __future__ import annotations

import contextlib
import hmac
import os
import re
import secrets
import subprocess
import sys
from pathlib import Path
from typing import Optional

from .errors import LicenseError
from .files import write_whole

# Ids of firmware whose maker never set one, and the id that documentation shows.
CONSTANT_IDS = {
    "00020003000400050006000700080009",
    "03000200040005000006000700080009",
    "0123456789abcdef0123456789abcdef",
}
CONTAINER_MARKERS = (Path("/.dockerenv"), Path("/run/.containerenv"))
MACHINE_ID_FILE = Path("/etc/machine-id")


def derive_fingerprint(folder: Path, product: str) -> str:
    """HMAC-SHA-256 of the product under the machine's id, in hexadecimal.

    A machine without an id, and every container, gets a random one, which is kept in the folder.
    Raises OSError, or LicenseError `folder` if the kept id is damaged.
    """
    machine_id = _usable_id(_system_id()) or _kept_id(folder)
    return hmac.new(machine_id.encode("ascii"), product.encode("ascii"), "sha256").hexdigest()


def _usable_id(text: str) -> Optional[str]:
    machine_id = text.strip().lower().replace("-", "")
    is_own = len(set(machine_id)) > 2 and machine_id not in CONSTANT_IDS
    return machine_id if is_own and re.fullmatch("[0-9a-f]{32}", machine_id) else None


def _system_id() -> str:
    # The id inside a container belongs to its image: all its containers have the same.
    is_container = any(file.exists() for file in CONTAINER_MARKERS)
    if is_container or os.environ.get("KUBERNETES_SERVICE_HOST"):
        return ""
    if sys.platform == "win32":
        return _windows_id()
    if sys.platform == "darwin":
        return _mac_id()
    return _text_of(MACHINE_ID_FILE)


def _windows_id() -> str:
    # For type checkers: no other system has winreg.
    if sys.platform == "win32":
        import winreg

        path, access = r"SOFTWARE\Microsoft\Cryptography", winreg.KEY_READ | winreg.KEY_WOW64_64KEY
        with contextlib.suppress(OSError):
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, path, 0, access) as key:
                return str(winreg.QueryValueEx(key, "MachineGuid")[0])
    return ""


def _mac_id() -> str:
    command = ["/usr/sbin/ioreg", "-rd1", "-c", "IOPlatformExpertDevice"]
    with contextlib.suppress(OSError, subprocess.SubprocessError, UnicodeDecodeError):
        device = subprocess.run(command, capture_output=True, text=True, timeout=5).stdout
        found = re.search('"IOPlatformUUID" = "(.+)"', device)
        return found[1] if found else ""
    return ""


def _kept_id(folder: Path) -> str:
    file = folder / "machine-id"
    if not file.exists():
        write_whole(file, secrets.token_hex(16).encode("ascii"), _link_unless_exists)
    machine_id = _usable_id(file.read_bytes().decode("ascii", "replace"))
    if machine_id is None:
        raise LicenseError("folder", f"The file {file} is damaged: restore it, or remove it.")
    return machine_id


def _link_unless_exists(temporary: str, file: Path) -> None:
    # Of two first starts at once, both take the id of the first: a link never replaces.
    with contextlib.suppress(FileExistsError):
        try:
            os.link(temporary, file)
        except OSError:
            # Some volumes have no links.
            _copy_unless_exists(temporary, file)


def _copy_unless_exists(temporary: str, file: Path) -> None:
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as copy:
        copy.write(Path(temporary).read_bytes())
        copy.flush()
        os.fsync(copy.fileno())


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""
