package example.licenses.client;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.DoubleSupplier;

/** The options of a license. Service, issuer, product, keys and folder are required. */
public final class LicenseBuilder {
    String service;
    String issuer;
    String product;
    List<String> keys = List.of();
    Path folder;
    String fingerprint;
    String machineName;
    boolean allowRandomId = true;
    String releasedAt;
    Transport transport;
    Duration timeout = Duration.ofSeconds(5);
    DoubleSupplier now = () -> {
        Instant instant = Instant.now();
        return instant.getEpochSecond() + instant.getNano() / 1e9;
    };

    LicenseBuilder() {}

    /** Address of the license service, without query and fragment: https, or http on this machine for tests. */
    public LicenseBuilder service(String address) {
        service = address;
        return this;
    }

    /** {@code issuer} of GET /signing-keys. */
    public LicenseBuilder issuer(String id) {
        issuer = id;
        return this;
    }

    /** The product of the project, or the project's id. */
    public LicenseBuilder product(String name) {
        product = name;
        return this;
    }

    /** {@code current} and {@code next} of GET /signing-keys, each as JSON text. */
    public LicenseBuilder keys(String... jwks) {
        keys = List.of(jwks);
        return this;
    }

    /** Absolute path of a folder that the program can write to and other users cannot read; created if absent. */
    public LicenseBuilder folder(Path path) {
        folder = path;
        return this;
    }

    /**
     * Names this machine: 16 to 256 printable ASCII characters. By default it is derived from the machine
     * id of the system.
     */
    public LicenseBuilder fingerprint(String text) {
        fingerprint = text;
        return this;
    }

    /** The name that the vendor sees for this machine: 1 to 100 characters. */
    public LicenseBuilder machineName(String name) {
        machineName = name;
        return this;
    }

    /** Whether a machine without its own id may get a random one, which is stored in the folder; true by default. */
    public LicenseBuilder allowRandomId(boolean isAllowed) {
        allowRandomId = isAllowed;
        return this;
    }

    /**
     * The day on which this build is released, such as {@code 2027-01-31}: the license must include updates
     * until then. Without it, the build runs regardless of when updates end.
     */
    public LicenseBuilder releasedAt(String day) {
        releasedAt = day;
        return this;
    }

    /** Sends the requests instead of a default {@link java.net.http.HttpClient}. */
    public LicenseBuilder transport(Transport sender) {
        transport = sender;
        return this;
    }

    /**
     * Timeout of a request, from the DNS query to the last byte of the response: 5 seconds by default, and
     * at most 10 minutes.
     */
    public LicenseBuilder timeout(Duration duration) {
        timeout = duration;
        return this;
    }

    /** The clock that tests set, in seconds since 1970. */
    LicenseBuilder now(DoubleSupplier seconds) {
        now = seconds;
        return this;
    }

    /** @throws LicenseException {@code option}, with a message that names the wrong option */
    public License build() throws LicenseException {
        return new License(Options.check(this), FolderLock.Clock.SYSTEM);
    }
}
