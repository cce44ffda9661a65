package example.licenses.client;

import java.time.Duration;
import java.util.Optional;

/** A problem that the program or its user must fix, with an option, the folder, a response or a certificate. */
public final class LicenseException extends Exception {
    private static final long serialVersionUID = 1;

    private final String code;
    private final Duration retryAfter;

    LicenseException(String code, String message) {
        this(code, message, null, null);
    }

    LicenseException(String code, String message, Duration retryAfter, Throwable cause) {
        super(message, cause);
        this.code = code;
        this.retryAfter = retryAfter;
    }

    static LicenseException keyRequired(String message) {
        return new LicenseException("LICENSE_KEY_REQUIRED", message);
    }

    /** Stable, for programs. The message is for people, in English. */
    public String code() {
        return code;
    }

    /** How long to wait before the next request, if the service said so. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
