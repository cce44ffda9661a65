package example.licenses.client;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.DoubleSupplier;

/** The options of a license. All but service, issuer, product, keys and folder are optional. */
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

    /** Absolute path of a folder that the program may write to, and that other users may not read; created if absent. */
    public LicenseBuilder folder(Path path) {
        folder = path;
        return this;
    }

    /** Names this machine: 16 to 256 printable ASCII characters; otherwise derived from the machine id of the system. */
    public LicenseBuilder fingerprint(String text) {
        fingerprint = text;
        return this;
    }

    /** The name that the vendor sees for this machine: 1 to 100 characters. */
    public LicenseBuilder machineName(String name) {
        machineName = name;
        return this;
    }

    /** Whether a machine without its own id may get a random one, stored in the folder; true otherwise. */
    public LicenseBuilder allowRandomId(boolean isAllowed) {
        allowRandomId = isAllowed;
        return this;
    }

    /**
     * The day on which this build is released, such as {@code 2027-01-31}: the license must include updates
     * until then. Without it, the build runs regardless of the updates that the license includes.
     */
    public LicenseBuilder releasedAt(String day) {
        releasedAt = day;
        return this;
    }

    /** Sends the requests, instead of an {@link java.net.http.HttpClient} with its defaults. */
    public LicenseBuilder transport(Transport sender) {
        transport = sender;
        return this;
    }

    /** Of a request, from the DNS query to the last byte of its response; 5 seconds otherwise, and at most 10 minutes. */
    public LicenseBuilder timeout(Duration duration) {
        timeout = duration;
        return this;
    }

    /** The clock of tests, in seconds since 1970. */
    LicenseBuilder now(DoubleSupplier seconds) {
        now = seconds;
        return this;
    }

    /** @throws LicenseException {@code option}, with a message that names the option that is wrong */
    public License build() throws LicenseException {
        return new License(Options.check(this), FolderLock.Clock.SYSTEM);
    }
}
