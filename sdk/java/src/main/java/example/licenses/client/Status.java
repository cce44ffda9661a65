package example.licenses.client;

import java.time.Instant;
import java.util.List;

/**
 * Whether the program is licensed, and the terms of its license. If a certificate is not for this program
 * on this machine, the members from {@code expiresAt} to {@code plan} are null and false.
 *
 * @param state valid, or why not
 * @param validUntil when the certificate or its license expires, whichever comes first; in the states
 * {@code ENDED} and {@code EXPIRED}, when that happened; null in all other states except {@code VALID}
 * @param expiresAt when the license expires; null if it is perpetual
 * @param perpetual whether the license is perpetual
 * @param updatesUntil the license covers builds released by then; null if it covers all builds
 * @param licensee the name of your customer, or null
 * @param plan the name of the plan, or null
 * @param services the services of the license; empty unless it is valid
 * @param entitlements the entitlements of the license; empty unless it is valid
 * @param reason a stable code for the cause of the state, or for why the last refresh changed nothing; null
 * if there is none
 */
public record Status(
        State state, Instant validUntil, Instant expiresAt, boolean perpetual, Instant updatesUntil, String licensee, String plan,
        List<String> services, List<String> entitlements, String reason) {
    static Status of(State state, String reason) {
        return of(state, reason, null, Terms.NONE);
    }

    static Status of(State state, String reason, Instant validUntil, Terms terms) {
        return new Status(
                state, validUntil, terms.expiresAt(), terms.perpetual(), terms.updatesUntil(), terms.licensee(), terms.plan(),
                List.of(), List.of(), reason);
    }

    /** Whether the program may run. */
    public boolean isValid() {
        return state == State.VALID;
    }

    /** Whether the license is valid and includes this entitlement. */
    public boolean has(String entitlement) {
        return entitlements.contains(entitlement);
    }

    /**
     * Whether a build released on this day, such as {@code 2027-01-31}, may run with this license. False in
     * any state except {@code VALID} and {@code UPDATE_NOT_COVERED}, and for a text that is not a day.
     */
    public boolean mayUpdateTo(String day) {
        Instant releasedAt = Timestamp.parseDay(day);
        boolean mayRun = isValid() || state == State.UPDATE_NOT_COVERED;
        return mayRun && releasedAt != null && Terms.isCovered(releasedAt, updatesUntil);
    }

    Status with(List<String> includedServices, List<String> includedEntitlements) {
        return new Status(
                state, validUntil, expiresAt, perpetual, updatesUntil, licensee, plan, includedServices, includedEntitlements,
                reason);
    }

    Status withReason(String other) {
        return new Status(
                state, validUntil, expiresAt, perpetual, updatesUntil, licensee, plan, services, entitlements, other);
    }
}
