package example.licenses.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.EdECPublicKey;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** A machine with its own clock, and the service it reaches. */
final class Customer implements AutoCloseable {
    static final long NOW = 1_800_000_000;
    static final long DAY = 86_400;
    static final String KEY = "LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD";
    static final String PRODUCT = "com.example.web-shop";
    static final String ISSUER = "65f1c2ab7e4a900123456789";
    static final String FINGERPRINT = "the fingerprint of this machine";
    /** Nothing listens there. */
    static final String NOWHERE = "http://127.0.0.1:2";
    private static final KeyPair PAIR = generate();

    interface Handler {
        void handle(HttpExchange exchange) throws IOException;
    }

    final Path folder;
    final List<String> paths = new CopyOnWriteArrayList<>();
    volatile double now = NOW;
    private HttpServer server;

    Customer(Path parent) {
        folder = parent.resolve("state");
    }

    /** Stands in for the service. */
    void script(Handler handler) throws IOException {
        close();
        paths.clear();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            paths.add(exchange.getRequestURI().getPath());
            handler.handle(exchange);
            exchange.close();
        });
        server.start();
    }

    LicenseBuilder options() {
        return License.builder()
                .service(server == null ? NOWHERE : "http://127.0.0.1:" + server.getAddress().getPort())
                .issuer(ISSUER)
                .product(PRODUCT)
                .keys(jwk())
                .folder(folder)
                .fingerprint(FINGERPRINT)
                // Long enough for a busy machine.
                .timeout(Duration.ofMinutes(1))
                .now(() -> now);
    }

    License license() throws LicenseException {
        return options().build();
    }

    License license(FolderLock.Clock clock) throws LicenseException {
        return new License(Options.check(options()), clock);
    }

    /** An activated license with this certificate. */
    License activated(String certificate) throws IOException, LicenseException {
        script(reply("{\"status\":\"active\",\"certificate\":\"" + certificate + "\"}"));
        License license = license();
        license.activate(KEY);
        paths.clear();
        return license;
    }

    List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    Path stateFile() throws IOException {
        return folder.resolve(files().stream().filter(name -> name.endsWith(".json")).findFirst().orElseThrow());
    }

    @Override
    public void close() {
        if (server != null) server.stop(0);
    }

    static Handler reply(String body) {
        return exchange -> {
            byte[] data = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, data.length);
            exchange.getResponseBody().write(data);
        };
    }

    static Handler status(int status) {
        return exchange -> exchange.sendResponseHeaders(status, -1);
    }

    /** A validation that stops the license, signed like the service's. */
    static void revoke(HttpExchange exchange) throws IOException {
        Object nonce = Json.parseObject(exchange.getRequestBody().readAllBytes()).get("nonce");
        String machine = Base64Url.encode(Base64Url.sha256("license-certificate:v1", ISSUER, "a license", FINGERPRINT));
        String rejection = sign("license-rejection+jwt", "{\"iss\":\"" + ISSUER + "\",\"aud\":\"" + PRODUCT
                + "\",\"sub\":\"a license\",\"iat\":" + NOW + ",\"nonce\":\"" + nonce + "\",\"machine\":\"" + machine
                + "\",\"status\":\"revoked\"}");
        reply("{\"status\":\"revoked\",\"rejection\":\"" + rejection + "\"}").handle(exchange);
    }

    /** A certificate issued at NOW. */
    static String certificate(long days) {
        return certificate(NOW + days * DAY, "");
    }

    static String leased(long seconds) {
        return certificate(NOW + seconds, ",\"leaseSeconds\":" + seconds);
    }

    private static String certificate(long end, String terms) {
        String machine = Base64Url.encode(Base64Url.sha256("license-certificate:v1", ISSUER, "a license", FINGERPRINT));
        return sign("license+jwt", "{\"iss\":\"" + ISSUER + "\",\"aud\":\"" + PRODUCT + "\",\"sub\":\"a license\",\"jti\":\"unique\""
                + ",\"machine\":\"" + machine + "\",\"iat\":" + NOW + ",\"exp\":" + end
                + ",\"license\":{\"expiresAt\":\"9999-12-31T23:59:59.999Z\",\"services\":[\"Hosting\"]" + terms + "}}");
    }

    private static String sign(String typ, String claims) {
        String kid = Base64Url.encode(Base64Url.sha256(jwk()));
        String header = "{\"alg\":\"EdDSA\",\"typ\":\"" + typ + "\",\"kid\":\"" + kid + "\"}";
        String input = Base64Url.encode(header.getBytes(StandardCharsets.UTF_8)) + "."
                + Base64Url.encode(claims.getBytes(StandardCharsets.UTF_8));
        try {
            Signature signature = Signature.getInstance("Ed25519");
            signature.initSign(PAIR.getPrivate());
            signature.update(input.getBytes(StandardCharsets.US_ASCII));
            return input + "." + Base64Url.encode(signature.sign());
        } catch (GeneralSecurityException exception) {
            throw new IllegalStateException(exception);
        }
    }

    private static String jwk() {
        // The encoding of a public key ends with the point.
        byte[] encoded = ((EdECPublicKey) PAIR.getPublic()).getEncoded();
        String x = Base64Url.encode(Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length));
        return "{\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\"" + x + "\"}";
    }

    private static KeyPair generate() {
        try {
            return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (GeneralSecurityException exception) {
            throw new IllegalStateException(exception);
        }
    }
}
