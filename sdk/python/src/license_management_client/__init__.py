"""Offline license checks for shipped software.

    from license_management_client import License

    license = License(service=..., issuer=..., product=..., keys=[...], folder=...)
    license.ensure(key).is_valid
"""

from .errors import LicenseError
from .license import License
from .options import LicenseOptions
from .status import State, Status
from .transport import Request, Response, Transport

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
