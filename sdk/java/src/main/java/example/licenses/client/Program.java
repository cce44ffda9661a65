package example.licenses.client;

import java.time.Instant;
import java.util.Map;

/**
 * The constants built into a program, and the fingerprint of its machine.
 *
 * @param releasedAt the release day of the build; null if there is none
 */
record Program(String issuer, String product, SigningKeys keys, String fingerprint, Instant releasedAt) {
    private static final int MAX_LENGTH = 4096;

    /** A rule broken by a certificate, a rejection or a state file. */
    static final class Breach extends Exception {
        private static final long serialVersionUID = 1;

        final State state;
        final String reason;

        Breach(State state, String reason) {
            super(reason, null, false, false);
            this.state = state;
            this.reason = reason;
        }

        static Breach damaged(String reason) {
            return new Breach(State.DAMAGED, reason);
        }

        Status status() {
            return Status.of(state, reason);
        }
    }

    /** The claim {@code machine} in statements about a license on this machine. */
    String machine(String licenseId) {
        return Base64Url.encode(Base64Url.sha256("license-certificate:v1", issuer, licenseId, fingerprint));
    }

    /**
     * The claims of a compact JWS of this {@code typ} signed with one of the keys. They are parsed only
     * after the signature is verified.
     */
    Map<String, Object> readJws(String text, String typ) throws Breach {
        if (text.length() > MAX_LENGTH) throw Breach.damaged("format");
        String[] parts = text.split("\\.", -1);
        if (parts.length != 3) throw Breach.damaged("format");
        byte[][] decoded = new byte[3][];
        for (int index = 0; index < 3; index++) {
            decoded[index] = Base64Url.decode(parts[index]);
            if (decoded[index] == null) throw Breach.damaged("format");
        }
        String kid = findKey(decoded[0], typ);
        if (!keys.verify(kid, parts[0] + "." + parts[1], decoded[2])) throw Breach.damaged("signature");
        Map<String, Object> claims = Json.asObject(parse(decoded[1]).value());
        if (claims == null) throw Breach.damaged("claims");
        return claims;
    }

    private String findKey(byte[] data, String typ) throws Breach {
        Json.Parsed parsed = parse(data);
        Map<String, Object> header = Json.asObject(parsed.value());
        boolean isHeader = header != null && !parsed.isRepeated() && header.size() == 3 && header.containsKey("kid")
                && "EdDSA".equals(header.get("alg")) && typ.equals(header.get("typ"));
        if (!isHeader) throw Breach.damaged("header");
        String kid = Json.asText(header.get("kid"));
        if (kid == null || !keys.contains(kid)) throw Breach.damaged("key");
        return kid;
    }

    private static Json.Parsed parse(byte[] data) throws Breach {
        try {
            return Json.parse(data);
        } catch (Json.Malformed malformed) {
            throw Breach.damaged("format");
        }
    }
}
