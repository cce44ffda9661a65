package example.licenses.client;

import java.time.Instant;
import java.util.List;

/**
 * Whether the program is licensed.
 *
 * @param state valid, or why not
 * @param until the end of the certificate or of its license, whichever is earlier; null unless the certificate is good but for
 *     its end
 * @param services the services of the license if it is valid, otherwise empty
 * @param entitlements the entitlements of the license if it is valid, otherwise empty
 * @param reason a stable code that explains the state, or why the last refresh changed nothing; null if there is none
 */
public record Status(State state, Instant until, List<String> services, List<String> entitlements, String reason) {
    static Status of(State state, String reason) {
        return new Status(state, null, List.of(), List.of(), reason);
    }

    /** Whether the program may run. */
    public boolean isValid() {
        return state == State.VALID;
    }

    /** Whether the license is valid and includes this entitlement. */
    public boolean has(String entitlement) {
        return entitlements.contains(entitlement);
    }

    Status withReason(String other) {
        return new Status(state, until, services, entitlements, other);
    }
}
