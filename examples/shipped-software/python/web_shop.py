import json
import os
import sys

from license_management_client import License, LicenseError

# The response of GET /signing-keys. Paste it here: anyone who can change it at run time can license your software.
KEYS = json.loads(os.environ["SIGNING_KEYS"])

license = License(
    service=os.environ["SERVICE"],
    issuer=KEYS["issuer"],
    product="com.example.web-shop",
    keys=[KEYS["current"], KEYS["next"]],
    folder=os.path.abspath(os.environ["FOLDER"]),
)

try:
    # The certificate of each start is new, so a revocation arrives at the next one.
    license.refresh()
    license.ensure(os.environ.get("KEY"))
except LicenseError as error:
    print(error, file=sys.stderr)

status = license.status()
if not status.is_valid:
    sys.exit(f"Not licensed: {status.state} ({status.reason}).")
until = status.valid_until.isoformat(timespec="milliseconds").replace("+00:00", "Z")
print(f"Licensed until {until} for {' and '.join(status.services)}.")
