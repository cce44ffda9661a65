package example.licenses.client;

import example.licenses.client.Program.Breach;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The claims of a certificate that rule 1 of docs/guides/certificates.md accepts. Integers are seconds
 * since 1970.
 *
 * @param leaseSeconds empty if there is no lease
 */
record Certificate(
        String product, String licenseId, String machine, long issuedAt, long expiresAt, Instant licenseEnd,
        Terms terms, List<String> services, List<String> entitlements, OptionalLong leaseSeconds) {
    /** How far a clock may be off, in seconds. */
    static final long MAX_TOLERANCE = 86_400;

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
                require(Timestamp.parse(license.get("expiresAt"))),
                Terms.read(license),
                require(Json.asTexts(license.get("services"))),
                entitlements == null ? List.of() : require(Json.asTexts(entitlements)),
                lease == null ? OptionalLong.empty() : OptionalLong.of(requireInteger(lease)));
    }

    /** Tolerance of the clock in seconds. It is smaller for a short lease, which could otherwise be used twice. */
    long tolerance() {
        return Math.min(leaseSeconds.orElse(MAX_TOLERANCE), MAX_TOLERANCE);
    }

    /**
     * Whether the certificate was issued further in the future than the tolerance. {@code now} is in
     * seconds since 1970.
     */
    boolean isAhead(double now) {
        return issuedAt - now > tolerance();
    }

    /** Whether another certificate of the license replaces this one. */
    boolean isBefore(Certificate other) {
        return issuedAt < other.issuedAt || issuedAt == other.issuedAt && expiresAt < other.expiresAt;
    }

    Certificate withEnd(long end) {
        return new Certificate(
                product, licenseId, machine, issuedAt, end, licenseEnd, terms, services, entitlements, leaseSeconds);
    }

    /**
     * Applies rules 4 to 7: whether an authentic certificate is valid now. Times are seconds since 1970.
     *
     * @param rejection null if there is none
     * @param isClockAhead whether a certificate had already expired when it was fetched
     * @param releasedAt the release day of the build; null if there is none
     */
    Status judge(State rejection, double now, long rememberedTime, boolean isClockAhead, Instant releasedAt) {
        if (rejection != null) return status(rejection, "rejected", null);
        if (isAhead(now)) return status(State.CLOCK, "issued_in_future", null);
        if (rememberedTime - now > tolerance()) return status(State.CLOCK, "clock_set_back", null);
        boolean isLicenseOver = licenseEnd.toEpochMilli() / 1000.0 <= now;
        if (isClockAhead && (isLicenseOver || expiresAt <= now)) return status(State.CLOCK, "already_over", null);
        if (isLicenseOver) return status(State.EXPIRED, "license_expired", licenseEnd);
        Instant end = Instant.ofEpochSecond(Math.min(expiresAt, Instant.MAX.getEpochSecond()));
        if (expiresAt <= now) return status(State.ENDED, "certificate_ended", end);
        if (releasedAt != null && !Terms.isCovered(releasedAt, terms.updatesUntil())) {
            return status(State.UPDATE_NOT_COVERED, "updates_ended", null);
        }
        return status(State.VALID, null, licenseEnd.isBefore(end) ? licenseEnd : end).with(services, entitlements);
    }

    private Status status(State state, String reason, Instant validUntil) {
        return Status.of(state, reason, validUntil, terms);
    }

    static <Value> Value require(Value value) throws Breach {
        if (value == null) throw Breach.damaged("claims");
        return value;
    }

    private static long requireInteger(Object value) throws Breach {
        return Json.asInteger(value).orElseThrow(() -> Breach.damaged("claims"));
    }
}
