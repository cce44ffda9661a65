"""Refreshes the license in a folder several times: SERVICE FOLDER TIMES. Fails unless every refresh succeeds."""

import sys

from support import CURRENT, FINGERPRINT, ISSUER, NOW, PRODUCT

from license_management_client import License

service, folder, times = sys.argv[1:]
license = License(
    service=service,
    issuer=ISSUER,
    product=PRODUCT,
    keys=[CURRENT.jwk],
    folder=folder,
    fingerprint=FINGERPRINT,
    now=lambda: NOW,
)
results = [license.refresh() for _ in range(int(times))]
sys.exit(any(result.state != "valid" or result.reason for result in results))
