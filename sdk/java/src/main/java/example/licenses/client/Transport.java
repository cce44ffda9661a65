package example.licenses.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Sends a request, such as {@code request -> client.send(request, BodyHandlers.ofInputStream())}. */
@FunctionalInterface
public interface Transport {
    /** Returns every response and follows no redirects. The thread is interrupted after the timeout. */
    HttpResponse<InputStream> send(HttpRequest request) throws IOException, InterruptedException;
}
