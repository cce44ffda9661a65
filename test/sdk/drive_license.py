"""Calls the Python SDK, and prints the results as drive-license.mjs does."""

import json
import sys

from license_management_client import License, LicenseError


def to_json(result):
    if result is None or isinstance(result, str):
        return result
    until = result.until and result.until.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return {
        "state": result.state,
        "until": until,
        "services": list(result.services),
        "entitlements": list(result.entitlements),
        "reason": result.reason,
    }


given = json.loads(sys.argv[1])
license = License(**given["options"])
results = []
for method, *args in given["calls"]:
    try:
        results.append(to_json(getattr(license, method)(*args)))
    except LicenseError as error:
        results.append({"error": error.code})
print(json.dumps(results))
