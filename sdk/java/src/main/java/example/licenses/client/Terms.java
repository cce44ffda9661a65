package example.licenses.client;

import example.licenses.client.Program.Breach;
import java.time.Instant;
import java.util.Map;

/** The terms of the license, from its certificate. {@link Status} explains the members. */
record Terms(Instant expiresAt, boolean perpetual, Instant updatesUntil, String licensee, String plan) {
    /** For a certificate that cannot be used here. */
    static final Terms NONE = new Terms(null, false, null, null, null);
    /** The expiry of a perpetual license. */
    private static final String NEVER = "9999-12-31T23:59:59.999Z";

    static Terms read(Map<String, Object> license) throws Breach {
        Object end = license.get("expiresAt");
        boolean isPerpetual = NEVER.equals(end);
        Object updates = license.get("updatesUntil");
        return new Terms(
                isPerpetual ? null : Certificate.require(Timestamp.parse(end)),
                isPerpetual,
                updates == null ? null : Certificate.require(Timestamp.parse(updates)),
                text(license.get("licensee")),
                text(license.get("plan")));
    }

    /** Whether the license includes a build of this day, regardless of today's date. */
    static boolean isCovered(Instant releasedAt, Instant updatesUntil) {
        return updatesUntil == null || !releasedAt.isAfter(updatesUntil);
    }

    /** A member that is text or null. Older certificates lack it. */
    private static String text(Object value) throws Breach {
        return value == null ? null : Certificate.require(Json.asText(value));
    }
}
