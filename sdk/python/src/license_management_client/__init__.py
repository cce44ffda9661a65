"""Offline license checks for shipped software.

    from license_management_client import License

    license = License(service=..., issuer=..., product=..., keys=[...], folder=...)
    license.activate(key)
    license.status().state == "valid"
"""

from .errors import LicenseError
from .license import License
from .options import LicenseOptions
from .transport import Request, Response, Transport
from .verification import State, Status

__all__ = [
    "License",
    "LicenseError",
    "LicenseOptions",
    "Request",
    "Response",
    "State",
    "Status",
    "Transport",
]
