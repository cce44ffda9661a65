package example.licenses.client;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Public keys by their RFC 7638 thumbprints. */
final class SigningKeys {
    private static final BigInteger ONE = BigInteger.ONE;
    private static final BigInteger P = ONE.shiftLeft(255).subtract(BigInteger.valueOf(19));
    /** The constant d of the curve (RFC 8032): -121665 / 121666. */
    private static final BigInteger D =
            new BigInteger("52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3", 16);
    /** The y coordinate of two points of order 8; the other two have its negative. */
    private static final BigInteger Y8 =
            new BigInteger("05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826", 16);
    /** The y coordinates of all points of small order. */
    private static final List<BigInteger> SMALL_ORDER =
            List.of(BigInteger.ZERO, ONE, P.subtract(ONE), Y8, P.subtract(Y8));

    private final Map<String, PublicKey> keys = new HashMap<>();

    /** Imports public JWKs, each of which is JSON text. */
    SigningKeys(List<String> jwks) throws LicenseException {
        if (jwks.isEmpty()) throw Options.wrong("keys", "a list of at least one public JWK");
        for (int index = 0; index < jwks.size(); index++) add(jwks.get(index), "keys[" + index + "]");
    }

    private void add(String json, String name) throws LicenseException {
        Map<String, Object> jwk = Json.parseObject(json.getBytes(StandardCharsets.UTF_8));
        if (jwk != null && jwk.containsKey("d")) {
            throw Options.error(name + " is a private key. Never ship private keys, and rotate this one.");
        }
        String x = jwk == null ? null : Json.asText(jwk.get("x"));
        PublicKey key = x != null && "OKP".equals(jwk.get("kty")) && "Ed25519".equals(jwk.get("crv")) ? importKey(x) : null;
        if (key == null) throw Options.wrong(name, "a public Ed25519 key as a JWK: kty OKP, crv Ed25519, x");
        // RFC 7638: the required members in alphabetical order, without whitespace.
        String thumbprint =
                Base64Url.encode(Base64Url.sha256("{\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\"" + x + "\"}"));
        if (keys.put(thumbprint, key) != null) throw Options.error(name + " repeats an earlier key.");
    }

    boolean contains(String thumbprint) {
        return keys.containsKey(thumbprint);
    }

    /** Whether the key with this thumbprint signed the text. Java rejects any S that is not below the group order. */
    boolean verify(String thumbprint, String text, byte[] signature) {
        // The first half is a point whose coordinate is below 2^255 - 19.
        if (signature.length != 64 || coordinate(signature).compareTo(P) >= 0) return false;
        try {
            Signature verifier = Signature.getInstance("Ed25519");
            verifier.initVerify(keys.get(thumbprint));
            verifier.update(text.getBytes(StandardCharsets.US_ASCII));
            return verifier.verify(signature);
        } catch (GeneralSecurityException exception) {
            return false;
        }
    }

    /** Null unless the text encodes a curve point that is safe for verifying signatures. */
    private static PublicKey importKey(String x) {
        byte[] data = Base64Url.decode(x);
        if (data == null || data.length != 32) return null;
        BigInteger y = coordinate(data);
        if (y.compareTo(P) >= 0 || SMALL_ORDER.contains(y) || !isOnCurve(y)) return null;
        try {
            EdECPoint point = new EdECPoint((data[31] & 0x80) != 0, y);
            EdECPublicKeySpec spec = new EdECPublicKeySpec(NamedParameterSpec.ED25519, point);
            return KeyFactory.getInstance("Ed25519").generatePublic(spec);
        } catch (GeneralSecurityException exception) {
            return null;
        }
    }

    /**
     * The y coordinate of the point encoded at the start of the data: little-endian, with the sign of x in
     * the highest bit.
     */
    private static BigInteger coordinate(byte[] data) {
        byte[] bytes = new byte[32];
        for (int index = 0; index < 32; index++) bytes[index] = data[31 - index];
        bytes[0] &= 0x7f;
        return new BigInteger(1, bytes);
    }

    /** Whether x² = (y² - 1) / (d·y² + 1) has a root, using Euler's criterion on the product. */
    private static boolean isOnCurve(BigInteger y) {
        BigInteger square = y.multiply(y);
        BigInteger product = square.subtract(ONE).multiply(D.multiply(square).add(ONE));
        return product.modPow(P.subtract(ONE).shiftRight(1), P).equals(ONE);
    }
}
