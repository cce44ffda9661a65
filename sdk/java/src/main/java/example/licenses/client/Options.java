package example.licenses.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Valid options, with defaults for absent ones. */
record Options(
        String service, String issuer, String product, SigningKeys keys, Path folder, String fingerprint, String machineName,
        boolean allowRandomId, Instant releasedAt, Transport transport, Duration timeout, DoubleSupplier now) {
    private static final Duration MAX_TIMEOUT = Duration.ofMinutes(10);
    /** The same in each SDK. Stricter than URL parsers, which differ. */
    private static final Pattern SERVICE = Pattern.compile(
            "(https://([a-z0-9._-]+|(\\[[0-9a-f:.]+\\]))|http://(localhost|127\\.0\\.0\\.1|\\[::1\\]))"
                    + "(:([1-9][0-9]{0,4}))?(/[\\w.~!$&'()*+,;=:%/-]*)?",
            Pattern.CASE_INSENSITIVE);
    private static final int IPV6 = 3;
    private static final int PORT = 6;

    static Options check(LicenseBuilder given) throws LicenseException {
        requireService(given.service);
        require("issuer", matches(given.issuer, "[!-~]{1,128}"), "the issuer id from GET /signing-keys");
        require("product", matches(given.product, "[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?"), "the project's product");
        SigningKeys keys = new SigningKeys(given.keys);
        require("folder", given.folder != null && given.folder.isAbsolute(), "an absolute path");
        require("fingerprint", given.fingerprint == null || matches(given.fingerprint, "[!-~][ -~]{14,254}[!-~]"),
                "16 to 256 printable ASCII characters, without spaces at either end");
        require("machineName", given.machineName == null || matches(given.machineName, "\\P{Cc}{1,100}"),
                "1 to 100 characters, without control characters");
        Instant releasedAt = Timestamp.parseDay(given.releasedAt);
        require("releasedAt", given.releasedAt == null || releasedAt != null, "a day such as 2027-01-31");
        require("timeout", given.timeout.compareTo(Duration.ZERO) > 0 && given.timeout.compareTo(MAX_TIMEOUT) <= 0,
                "more than 0 and at most 600 seconds");
        Transport transport = given.transport == null ? SharedClient::send : given.transport;
        return new Options(
                given.service.replaceAll("/+$", ""), given.issuer, given.product, keys, given.folder, given.fingerprint,
                given.machineName, given.allowRandomId, releasedAt, transport, given.timeout, given.now);
    }

    static LicenseException wrong(String name, String expected) {
        return error(name + " must be " + expected + ".");
    }

    static LicenseException error(String message) {
        return new LicenseException("option", message);
    }

    private static void requireService(String service) throws LicenseException {
        Matcher matcher = SERVICE.matcher(service == null ? "" : service);
        boolean isService = matcher.matches()
                && (matcher.group(PORT) == null || Integer.parseInt(matcher.group(PORT)) <= 65_535)
                && (matcher.group(IPV6) == null || isHost(matcher.group(IPV6)));
        require("service", isService, "an address such as https://licenses.example; http works only on this machine");
    }

    private static boolean isHost(String text) {
        try {
            return new URI("https://" + text).getHost() != null;
        } catch (URISyntaxException exception) {
            return false;
        }
    }

    private static void require(String name, boolean isRight, String expected) throws LicenseException {
        if (!isRight) throw wrong(name, expected);
    }

    private static boolean matches(String text, String pattern) {
        return text != null && text.matches(pattern);
    }

    /** Created by the first request. All licenses share it, because each client has a thread. */
    private static final class SharedClient {
        static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

        static HttpResponse<InputStream> send(HttpRequest request) throws IOException, InterruptedException {
            return HTTP.send(request, BodyHandlers.ofInputStream());
        }
    }
}
