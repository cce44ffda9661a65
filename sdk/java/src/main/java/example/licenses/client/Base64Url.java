package example.licenses.client;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** Canonical base64url, and hashes encoded in it. */
final class Base64Url {
    private Base64Url() {}

    static String encode(byte[] data) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(data);
    }

    /** Null unless the text is canonical. Java's decoder accepts padding and any unused bits. */
    static byte[] decode(String text) {
        try {
            byte[] data = Base64.getUrlDecoder().decode(text);
            return encode(data).equals(text) ? data : null;
        } catch (IllegalArgumentException exception) {
            return null;
        }
    }

    /** The SHA-256 of lines joined by line feeds. */
    static byte[] sha256(String... lines) {
        try {
            byte[] data = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
            return MessageDigest.getInstance("SHA-256").digest(data);
        } catch (NoSuchAlgorithmException exception) {
            throw new IllegalStateException("Every Java has SHA-256.", exception);
        }
    }
}
