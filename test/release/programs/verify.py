import json
import sys

from license_management_client import License, LicenseError

folder, issuer, product, fingerprint, certificate, *jwks = sys.argv[1:]
license = License(
    service="https://licenses.example",
    issuer=issuer,
    product=product,
    keys=[json.loads(jwk) for jwk in jwks],
    folder=folder,
    fingerprint=fingerprint,
)
try:
    print(license.install(certificate).state)
except LicenseError as error:
    print(error.code)
