package example.licenses.client;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;

/** The service's statement about the license, or why there is none. */
sealed interface Reply {
    /** The license is active on this machine. The certificate is not verified yet. */
    record Active(String certificate) implements Reply {}

    /** An authentic certificate with the license key it was requested with; null if it was installed. */
    record Received(String text, Certificate certificate, String key) implements Reply {
        boolean isInstalled() {
            return key == null;
        }
    }

    /** The license is active with a lease. The validation is not signed. */
    record Leased() implements Reply {}

    /** The license has not been activated yet. */
    record Pending() implements Reply {}

    /** The machine has released its seat. */
    record Released() implements Reply {}

    /**
     * The license must not be used on this machine.
     *
     * @param proof the signed statement, not verified yet
     * @param nonce the request's nonce
     * @param machines the seats in use, if the license has several seats and this machine holds none;
     * otherwise null
     * @param code the service's code; null if the SDK has its own code for it, and then the message is null, too
     * @param rejectedAt when the service signed it, in seconds since 1970, once verified
     */
    record Rejected(
            State rejection, Object proof, String nonce, Machines machines, String code, String message, long rejectedAt)
            implements Reply {
        Rejected at(long time) {
            return new Rejected(rejection, proof, nonce, machines, code, message, time);
        }

        /**
         * When the service signed the rejection, in seconds since 1970; empty if it did not.
         *
         * @param licenseId from the stored certificate; null if there is none
         */
        OptionalLong provenAt(Program program, String licenseId) {
            if (!(proof instanceof String text)) return OptionalLong.empty();
            Map<String, Object> claims;
            try {
                claims = program.readJws(text, "license-rejection+jwt");
            } catch (Program.Breach breach) {
                return OptionalLong.empty();
            }
            String sub = Json.asText(claims.get("sub"));
            String status = rejection == State.OTHER_MACHINE ? "machine_mismatch" : rejection.code();
            boolean isProven = sub != null
                    // The owner of another rejected license could have had it signed for this machine.
                    && (licenseId == null || sub.equals(licenseId))
                    && program.issuer().equals(claims.get("iss"))
                    && program.product().equals(claims.get("aud"))
                    && nonce.equals(claims.get("nonce"))
                    && program.machine(sub).equals(claims.get("machine"))
                    && status.equals(claims.get("status"));
            return isProven ? Json.asInteger(claims.get("iat")) : OptionalLong.empty();
        }
    }

    /** The seats of a license. */
    record Machines(long used, long max) {}

    /**
     * There is no response, or one that says nothing about the license.
     *
     * @param code the code of a rejected request; null if the service sent none, like the message
     * @param retryAfter null if the service did not say
     * @param cause the network error; otherwise null
     */
    record Failed(String reason, String code, String message, Duration retryAfter, Throwable cause) implements Reply {
        static Failed of(String reason) {
            return new Failed(reason, null, null, null, null);
        }
    }

    /**
     * The exception for a reply without a certificate.
     *
     * @param key the key the user entered; otherwise empty
     */
    default LicenseException toException(String key) {
        if (this instanceof Rejected rejected) {
            return exception(new Failed(rejected.rejection.code(), rejected.code, rejected.message, null, null), key);
        }
        return exception((Failed) this, key);
    }

    private static LicenseException exception(Failed failed, String key) {
        String code = failed.code == null ? failed.reason : failed.code;
        String own = Messages.CONTACT.getOrDefault(code, Messages.CONTACT.get(failed.reason));
        if (code.equals("unknown_key") && Texts.isIncompleteKey(key)) own += " This is not a complete license key.";
        return new LicenseException(code, failed.message == null ? own : failed.message, failed.retryAfter, failed.cause);
    }
}
