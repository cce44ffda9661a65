const P = 2n ** 255n - 19n;
/** The constant of the curve, RFC 8032: -121665 / 121666. */
const D = 0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3n;
/** `y` of the points of order 8; points of other small orders have 0, 1 and -1. */
const Y8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
const SMALL_ORDER = [0n, 1n, P - 1n, Y8, P - Y8];

/**
 * Whether 32 bytes encode a point of Curve25519 that is safe for verifying signatures. OpenSSL accepts any
 * bytes as a public key.
 */
export function isSigningPoint(bytes: Buffer): boolean {
  // Little-endian, with the sign of x in the highest bit.
  const y = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) & (2n ** 255n - 1n);
  return y < P && !SMALL_ORDER.includes(y) && isOnCurve(y);
}

/** Whether x² = (y² - 1) / (d·y² + 1) has a root, using Euler's criterion on the product instead of the quotient. */
function isOnCurve(y: bigint): boolean {
  const square = (y * y) % P;
  return power(((square - 1n) * (D * square + 1n)) % P, (P - 1n) / 2n) === 1n;
}

function power(base: bigint, exponent: bigint): bigint {
  let [result, factor] = [1n, ((base % P) + P) % P];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * factor) % P;
    factor = (factor * factor) % P;
  }
  return result;
}
