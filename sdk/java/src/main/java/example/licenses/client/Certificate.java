package example.licenses.client;

import example.licenses.client.Program.Breach;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The claims of a certificate that rule 1 of docs/guides/certificates.md accepts. Integers are seconds since 1970.
 *
 * @param leaseSeconds empty without a lease
 */
record Certificate(
        String product, String licenseId, String machine, long issuedAt, long expiresAt, Instant licenseEnd,
        List<String> services, List<String> entitlements, OptionalLong leaseSeconds) {
    /** How much a clock may be wrong, in seconds. */
    private static final long MAX_TOLERANCE = 86_400;
    private static final Pattern TIME =
            Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z");
    private static final DateTimeFormatter STRICT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withResolverStyle(ResolverStyle.STRICT);

    /** Applies rules 1 to 3. */
    static Certificate read(String text, Program program) throws Breach {
        Map<String, Object> claims = program.readJws(text, "license+jwt");
        if (!program.issuer().equals(claims.get("iss"))) throw Breach.damaged("issuer");
        Certificate certificate = readClaims(claims);
        if (!certificate.product.equals(program.product())) throw new Breach(State.OTHER_PRODUCT, "product");
        if (!certificate.machine.equals(program.machine(certificate.licenseId))) {
            throw new Breach(State.OTHER_MACHINE, "machine");
        }
        return certificate;
    }

    /** Null unless rules 1 to 3 accept the text, which may be null. */
    static Certificate readOrNull(String text, Program program) {
        try {
            return text == null ? null : read(text, program);
        } catch (Breach breach) {
            return null;
        }
    }

    static Certificate readClaims(Map<String, Object> claims) throws Breach {
        Map<String, Object> license = Json.asObject(claims.get("license"));
        if (license == null || Json.asText(claims.get("jti")) == null) throw Breach.damaged("claims");
        // Older certificates have no entitlements.
        Object entitlements = license.get("entitlements");
        Object lease = license.get("leaseSeconds");
        return new Certificate(
                require(Json.asText(claims.get("aud"))),
                require(Json.asText(claims.get("sub"))),
                require(Json.asText(claims.get("machine"))),
                requireInteger(claims.get("iat")),
                requireInteger(claims.get("exp")),
                require(toTime(license.get("expiresAt"))),
                require(Json.asTexts(license.get("services"))),
                entitlements == null ? List.of() : require(Json.asTexts(entitlements)),
                lease == null ? OptionalLong.empty() : OptionalLong.of(requireInteger(lease)));
    }

    /** Seconds that the clock may be wrong: with a short lease less, or the lease could be used twice. */
    long tolerance() {
        return Math.min(leaseSeconds.orElse(MAX_TOLERANCE), MAX_TOLERANCE);
    }

    /** Whether the certificate was issued in the future by more than the tolerance. {@code now} is in seconds since 1970. */
    boolean isAhead(double now) {
        return issuedAt - now > tolerance();
    }

    /** Whether another certificate of the license counts instead of this one. */
    boolean isBefore(Certificate other) {
        return issuedAt < other.issuedAt || issuedAt == other.issuedAt && expiresAt < other.expiresAt;
    }

    Certificate withEnd(long end) {
        return new Certificate(
                product, licenseId, machine, issuedAt, end, licenseEnd, services, entitlements, leaseSeconds);
    }

    /**
     * Applies rules 4 to 6: whether an authentic certificate holds now. Times are seconds since 1970.
     *
     * @param rejection null without one
     * @param isClockAhead whether a certificate was over when it was fetched
     */
    Status judge(State rejection, double now, long rememberedTime, boolean isClockAhead) {
        if (rejection != null) return Status.of(rejection, "rejected");
        if (isAhead(now)) return Status.of(State.CLOCK, "issued_in_future");
        if (rememberedTime - now > tolerance()) return Status.of(State.CLOCK, "clock_set_back");
        boolean isLicenseOver = licenseEnd.toEpochMilli() / 1000.0 <= now;
        if (isClockAhead && (isLicenseOver || expiresAt <= now)) return Status.of(State.CLOCK, "already_over");
        Instant end = Instant.ofEpochSecond(Math.min(expiresAt, Instant.MAX.getEpochSecond()));
        Instant until = licenseEnd.isBefore(end) ? licenseEnd : end;
        if (isLicenseOver) return new Status(State.EXPIRED, until, List.of(), List.of(), "license_expired");
        if (expiresAt <= now) return new Status(State.ENDED, until, List.of(), List.of(), "certificate_ended");
        return new Status(State.VALID, until, services, entitlements, null);
    }

    private static <Value> Value require(Value value) throws Breach {
        if (value == null) throw Breach.damaged("claims");
        return value;
    }

    private static long requireInteger(Object value) throws Breach {
        return Json.asInteger(value).orElseThrow(() -> Breach.damaged("claims"));
    }

    /** A time as the service writes it, such as 2026-07-31T10:15:00.000Z; null for anything else. */
    private static Instant toTime(Object value) {
        if (!(value instanceof String text) || !TIME.matcher(text).matches()) return null;
        try {
            Instant time = LocalDateTime.parse(text, STRICT).toInstant(ZoneOffset.UTC);
            return text.startsWith("0000") ? null : time;
        } catch (DateTimeParseException exception) {
            return null;
        }
    }
}
