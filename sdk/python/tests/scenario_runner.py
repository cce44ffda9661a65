"""Runs the scenarios of docs/sdk/scenarios.md: one command per line, one result per line."""

from __future__ import annotations

import json
import re
import sys
from datetime import datetime
from pathlib import Path
from typing import Any, Dict, Optional

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from license_management_client import License, LicenseError, Status  # noqa: E402


class Runner:
    license: License
    clock: float = 0

    def run(self, command: Dict[str, Any]) -> Dict[str, Any]:
        self.clock = command["now"]
        try:
            if command["do"] == "start":
                self.start(command["options"])
                return {"returns": None}
            return {"returns": self.call(command["method"], command.get("argument"))}
        except LicenseError as error:
            message, retry_after = error.message, error.retry_after
            return {"throws": {"code": error.code, "message": message, "retryAfter": retry_after}}

    def start(self, options: Dict[str, Any]) -> None:
        options = {**options, "timeout": options.get("timeout", 5000) / 1000}
        for name in ("machineName", "allowRandomId", "releasedAt"):
            if name in options:
                options[in_snake_case(name)] = options.pop(name)
        self.license = License(**options, now=lambda: self.clock)

    def call(self, method: str, argument: Any) -> Any:
        target = self.license.status() if method in ("has", "mayUpdateTo") else self.license
        arguments = () if argument is None else (argument,)
        return to_json(getattr(target, in_snake_case(method))(*arguments))


def to_json(result: Any) -> Any:
    if not isinstance(result, Status):
        return result
    return {
        "state": result.state,
        "isValid": result.is_valid,
        "validUntil": time_of(result.valid_until),
        "expiresAt": time_of(result.expires_at),
        "perpetual": result.perpetual,
        "updatesUntil": time_of(result.updates_until),
        "licensee": result.licensee,
        "plan": result.plan,
        "services": result.services,
        "entitlements": result.entitlements,
        "reason": result.reason,
    }


def time_of(time: Optional[datetime]) -> Optional[str]:
    return time and time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def in_snake_case(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


runner = Runner()
for line in sys.stdin:
    print(json.dumps(runner.run(json.loads(line))), flush=True)
