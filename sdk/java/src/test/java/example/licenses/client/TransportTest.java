package example.licenses.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransportTest {
    private Customer customer;

    @BeforeEach
    void begin(@TempDir Path parent) {
        customer = new Customer(parent);
    }

    @AfterEach
    void end() {
        customer.close();
    }

    @Test
    void replacesTheDefault() throws Exception {
        customer.script(Customer.reply("{\"status\":\"active\",\"certificate\":\"" + Customer.certificate(7) + "\"}"));
        List<String> sent = new ArrayList<>();
        HttpClient client = HttpClient.newHttpClient();
        License license = customer.options().transport(request -> {
            sent.add(request.method() + " " + request.uri().getPath());
            return client.send(request, BodyHandlers.ofInputStream());
        }).build();
        assertTrue(license.activate(Customer.KEY).isValid());
        assertEquals(List.of("POST /validate"), sent);
    }

    @Test
    void timesOutAndIsInterruptedIfItNeverReturns() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        License license = customer.options().timeout(Duration.ofMillis(20)).transport(request -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException exception) {
                interrupted.countDown();
            }
            throw new IOException("ended");
        }).build();
        assertEquals("timeout", failure(license).code());
        interrupted.await();
    }

    @Test
    void isNoResponseWithItsErrorAsTheCause() throws Exception {
        LicenseException exception = failure(customer.license());
        assertEquals("no_response", exception.code());
        assertInstanceOf(ConnectException.class, exception.getCause());
    }

    @Test
    void isNoResponseWhateverItThrows() throws Exception {
        License license = customer.options().transport(request -> {
            throw new IllegalStateException("no proxy");
        }).build();
        assertEquals("no_response", failure(license).code());
    }

    @Test
    void isAnUntrustedServerIfItRejectsTheCertificate() throws Exception {
        List<IOException> refusals = List.of(
                new SSLHandshakeException("of an unknown authority"),
                new SSLPeerUnverifiedException("of another host"));
        refusals.get(0).initCause(new CertificateException("of an unknown authority"));
        for (IOException refusal : refusals) {
            License license = customer.options().transport(request -> {
                throw new IOException(refusal);
            }).build();
            assertEquals("untrusted_server", failure(license).code());
        }
        License license = customer.options().transport(request -> {
            throw new SSLHandshakeException("a handshake that breaks off");
        }).build();
        assertEquals("no_response", failure(license).code());
    }

    @Test
    void isNoResponseForAnAddressThatJavaRejects() throws Exception {
        assertEquals("no_response", failure(customer.options().service("https://a_b.example/%").build()).code());
    }

    @Test
    void isSharedByAllLicenses() throws Exception {
        long before = clients();
        for (int count = 0; count < 10; count++) assertEquals("no_response", failure(customer.license()).code());
        assertTrue(clients() <= before + 1);
    }

    @Test
    void hasATimeoutOfAtMostTenMinutes() {
        for (Duration timeout : List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofMinutes(11))) {
            LicenseException exception =
                    assertThrows(LicenseException.class, () -> customer.options().timeout(timeout).build());
            assertEquals("timeout must be more than 0 and at most 600 seconds.", exception.getMessage());
        }
    }

    @Test
    void receivesTheKeyWithoutSurroundingCharacters() throws Exception {
        List<String> keys = new ArrayList<>();
        customer.script(exchange -> {
            keys.add((String) Json.parseObject(exchange.getRequestBody().readAllBytes()).get("key"));
            exchange.sendResponseHeaders(503, -1);
        });
        License license = customer.license();
        for (String around : List.of("\ufeff", "\u00a0", " \ufeff\r\n")) {
            assertThrows(LicenseException.class, () -> license.ensure(around + Customer.KEY + around));
            assertEquals(State.NONE, license.ensure(around).state());
        }
        assertEquals(List.of(Customer.KEY, Customer.KEY, Customer.KEY), keys);
    }

    private static long clients() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().matches("HttpClient-\\d+-SelectorManager"))
                .count();
    }

    private static LicenseException failure(License license) {
        return assertThrows(LicenseException.class, () -> license.activate(Customer.KEY));
    }
}
