package example.licenses.client;

import example.licenses.client.Program.Breach;
import example.licenses.client.Reply.Received;
import java.util.Objects;

/**
 * The content of the state file; empty if there is no file.
 *
 * @param key null if a certificate was installed without one
 * @param certificate the most recently issued certificate, or null
 * @param installed the installed certificate that expires last, or null; the license is usable until then
 * @param rejection null if there is none
 * @param rejectedAt when the service signed the rejection, in seconds since 1970; 0 if there is none
 * @param rememberedTime when a certificate was last known to be valid or issued, in seconds since 1970
 */
record StoredState(
        String key, String certificate, String installed, State rejection, long rejectedAt, long rememberedTime) {
    static final StoredState NOTHING = new StoredState(null, null, null, null, 0, 0);

    StoredState withRejection(State other, long at) {
        return new StoredState(key, certificate, installed, other, at, rememberedTime);
    }

    StoredState withRememberedTime(long time) {
        return new StoredState(key, certificate, installed, rejection, rejectedAt, time);
    }

    /** The state after a certificate arrives. {@code now} is in seconds since 1970. */
    StoredState with(Received received, Program program, double now) {
        Certificate fresh = received.certificate();
        Certificate previous = Certificate.readOrNull(certificate, program);
        boolean isSameLicense = previous == null || previous.licenseId().equals(fresh.licenseId());
        // Keeping the key of another license would bring back that license's certificate at the next refresh.
        String nextKey = !received.isInstalled() ? received.key() : isSameLicense ? key : null;
        if (previous != null && isMisdated(previous, fresh, now)) previous = null;
        boolean isOlder = previous != null && isSameLicense && fresh.isBefore(previous);
        boolean isNewer = previous == null || fresh.issuedAt() > previous.issuedAt();
        boolean staysRejected = isSameLicense && isBeforeRejection(fresh, now);
        String nextInstalled = received.isInstalled() ? received.text() : null;
        return new StoredState(
                nextKey,
                isOlder ? certificate : received.text(),
                keepsItsEnd(Certificate.readOrNull(installed, program), received, now) ? installed : nextInstalled,
                staysRejected ? rejection : null,
                staysRejected ? rejectedAt : 0,
                isNewer ? fresh.issuedAt() : rememberedTime);
    }

    /** Whether the stored certificate, which must exist, is usable. {@code now} is in seconds since 1970. */
    Status judge(Program program, double now, boolean isClockAhead) {
        Certificate judged;
        try {
            judged = Certificate.read(certificate, program);
        } catch (Breach breach) {
            return breach.status();
        }
        Certificate other = Certificate.readOrNull(installed, program);
        if (other != null && other.licenseId().equals(judged.licenseId())) {
            judged = judged.withEnd(Math.max(judged.expiresAt(), other.expiresAt()));
        }
        return judged.judge(rejection, now, rememberedTime, isClockAhead, program.releasedAt());
    }

    boolean isLeased(Program program) {
        Certificate stored = Certificate.readOrNull(certificate, program);
        return stored != null && stored.leaseSeconds().isPresent();
    }

    /** The license id in the stored certificate; null if there is none for this program and machine. */
    String licenseId(Program program) {
        Certificate stored = Certificate.readOrNull(certificate, program);
        return stored == null ? null : stored.licenseId();
    }

    boolean hasKey(String other) {
        return Objects.equals(key, other);
    }

    /** Whether an installed certificate, or null, stays installed after another one arrives. */
    private static boolean keepsItsEnd(Certificate installed, Received received, double now) {
        Certificate fresh = received.certificate();
        return installed != null
                && installed.licenseId().equals(fresh.licenseId())
                && !isMisdated(installed, fresh, now)
                && (!received.isInstalled() || fresh.expiresAt() < installed.expiresAt());
    }

    /**
     * Whether a certificate is older than the rejection and so does not lift it, such as a recorded one
     * that is replayed. A rejection from the far future was signed while the service's clock was ahead.
     * Without this limit, the license would stay rejected for that long.
     */
    private boolean isBeforeRejection(Certificate fresh, double now) {
        boolean isMisdated = rejectedAt - now > Certificate.MAX_TOLERANCE;
        return fresh.issuedAt() < rejectedAt && !isMisdated;
    }

    /**
     * Whether the previous certificate was issued while the service's clock was ahead. Otherwise it would
     * be kept for as long as the clock was ahead.
     */
    private static boolean isMisdated(Certificate previous, Certificate following, double now) {
        return previous.isAhead(now) && !following.isAhead(now);
    }
}
