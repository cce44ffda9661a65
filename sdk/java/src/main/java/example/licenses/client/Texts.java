package example.licenses.client;

import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Texts that people pass on: license keys, requests and certificates. */
final class Texts {
    /** The shape of a license key; each digit stands for a letter or digit. */
    private static final String WHOLE_KEY = "LIC-000000000000000000000000-0000-0000-0000";
    private static final Pattern KEY = Pattern.compile("(?i:LIC)-[0-9A-Fa-f]{24}(-[0-9A-Za-z]{4}){3}");

    private static final Pattern ENDS = Pattern.compile("^[\\s\\p{Z}\ufeff]+|[\\s\\p{Z}\ufeff]+$");

    private Texts() {}

    /** A license key without surrounding whitespace and byte order marks; empty for null. */
    static String key(String text) {
        return text == null ? "" : ENDS.matcher(text).replaceAll("");
    }

    /** Whether part of a license key is missing. */
    static boolean isIncompleteKey(String key) {
        return key.length() >= "LIC-".length()
                && key.length() < WHOLE_KEY.length()
                && KEY.matcher(key + WHOLE_KEY.substring(key.length())).matches();
    }

    /**
     * A certificate without what mail programs and people add: line breaks, spaces, quotes, and {@code > }
     * at the start of lines.
     */
    static String certificate(String text) {
        return text == null ? "" : text.replaceAll("[^A-Za-z0-9._-]", "");
    }

    /** What the vendor needs to issue a certificate for this machine, with a checksum because people may type it in. */
    static String request(String product, String fingerprint) {
        byte[] hash = Base64Url.sha256("license-request:v1", product, fingerprint);
        Map<String, String> members = new LinkedHashMap<>();
        members.put("fingerprint", fingerprint);
        members.put("product", product);
        members.put("check", HexFormat.of().formatHex(hash, 0, 4));
        return Json.write(members);
    }
}
