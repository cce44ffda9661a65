"""Runs the scenarios of docs/sdk/scenarios.md: a command a line, a result a line."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Dict

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
        if "machineName" in options:
            options["machine_name"] = options.pop("machineName")
        self.license = License(**options, now=lambda: self.clock)

    def call(self, method: str, argument: Any) -> Any:
        if method == "has":
            return self.license.status().has(argument)
        arguments = () if argument is None else (argument,)
        return to_json(getattr(self.license, method)(*arguments))


def to_json(result: Any) -> Any:
    if not isinstance(result, Status):
        return result
    until = result.until and result.until.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return {
        "state": result.state,
        "until": until,
        "services": result.services,
        "entitlements": result.entitlements,
        "reason": result.reason,
    }


runner = Runner()
for line in sys.stdin:
    print(json.dumps(runner.run(json.loads(line))), flush=True)
