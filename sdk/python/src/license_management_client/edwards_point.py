"""Checks public keys, because OpenSSL accepts any 32 bytes."""

from __future__ import annotations

P = 2**255 - 19
# The constant of the curve, RFC 8032: -121665 / 121666.
D = 0x52036CEE2B6FFE738CC740797779E89800700A4D4141D8AB75EB4DCA135978A3
# `y` of the points of order 8; points of other small orders have 0, 1 and -1.
Y8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
SMALL_ORDER = {0, 1, P - 1, Y8, P - Y8}


def is_signing_point(data: bytes) -> bool:
    """Whether 32 bytes encode a point of Curve25519 that is safe for verifying signatures."""
    # Little-endian, with the sign of x in the highest bit.
    y = int.from_bytes(data, "little") & (2**255 - 1)
    return y < P and y not in SMALL_ORDER and _is_on_curve(y)


def _is_on_curve(y: int) -> bool:
    """Whether x² = (y² - 1) / (d·y² + 1) has a root, using Euler's criterion on the product."""
    square = y * y % P
    return pow((square - 1) * (D * square + 1), (P - 1) // 2, P) == 1
