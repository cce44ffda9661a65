package example.licenses.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * A response is a response of the service. Its body is empty if the status alone decides, or if it is
 * larger than 64 KiB.
 *
 * @param retryAfter null if the service did not say
 * @param body empty if the status alone decides, or if it is larger than 64 KiB
 */
record Exchange(int status, Duration retryAfter, byte[] body) {
    private static final int MAX_BODY = 65_536;

    /** No response arrived within the timeout. */
    static final class NoResponse extends Exception {
        private static final long serialVersionUID = 1;
        final String reason;

        NoResponse(String reason, Throwable cause) {
            super(reason, cause);
            this.reason = reason;
        }
    }

    /** Posts JSON. The response is complete within the timeout, even if the transport never returns. */
    static Exchange post(Transport transport, String address, String json, Duration timeout) throws NoResponse {
        FutureTask<Exchange> task = new FutureTask<>(() -> send(transport, address, json));
        Thread thread = new Thread(task, "license request");
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException exception) {
            throw new NoResponse("timeout", exception);
        } catch (ExecutionException exception) {
            throw new NoResponse(reasonOf(exception.getCause()), exception.getCause());
        } catch (InterruptedException exception) {
            Thread.currentThread().interrupt();
            throw new NoResponse("no_response", exception);
        } finally {
            // Interrupts the request in progress.
            task.cancel(true);
        }
    }

    /**
     * Whether a response with this status may come from the service, so that its body counts. 407 comes
     * from a proxy.
     */
    boolean isDecidedByBody() {
        return isDecidedByBody(status);
    }

    private static boolean isDecidedByBody(int status) {
        return status == 200 || status >= 400 && status < 500 && status != 407 && status != 429;
    }

    private static String reasonOf(Throwable thrown) {
        if (thrown instanceof HttpTimeoutException) return "timeout";
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException || cause instanceof SSLPeerUnverifiedException) {
                return "untrusted_server";
            }
        }
        return "no_response";
    }

    private static Exchange send(Transport transport, String address, String json)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .POST(BodyPublishers.ofString(json))
                .build();
        HttpResponse<InputStream> response = transport.send(request);
        try (InputStream body = response.body()) {
            int status = response.statusCode();
            // For any other status, the body does not matter and may be cut off.
            byte[] data = isDecidedByBody(status) ? body.readNBytes(MAX_BODY + 1) : new byte[0];
            return new Exchange(status, retryAfter(response), data.length > MAX_BODY ? new byte[0] : data);
        }
    }

    private static Duration retryAfter(HttpResponse<?> response) {
        return response.headers().firstValue("Retry-After")
                .filter(value -> value.matches("[0-9]{1,9}"))
                .map(value -> Duration.ofSeconds(Long.parseLong(value)))
                .orElse(null);
    }
}
