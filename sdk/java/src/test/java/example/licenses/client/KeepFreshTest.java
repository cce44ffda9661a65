package example.licenses.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeepFreshTest {
    private static final long NOW = Customer.NOW;
    private static final long DAY = Customer.DAY;

    private static double waitOf(int failures, long rest) {
        return new KeepFresh.Contact(NOW, failures).next(Instant.ofEpochSecond(NOW + rest)) - NOW;
    }

    private static Status valid(String reason) {
        return Status.of(State.VALID, reason, Instant.ofEpochSecond(NOW + 7 * DAY), Terms.NONE);
    }

    @Test
    void sendsARequestAfterAThirdOfTheRemainingTimeAtLeastDailyAndSoonAfterAFailure() {
        assertEquals(DAY, waitOf(0, 30 * DAY));
        assertEquals(DAY / 3, waitOf(0, DAY));
        assertEquals(1200, waitOf(0, 3600));
        assertEquals(60, waitOf(0, -DAY));
        assertEquals(60, waitOf(1, DAY));
        assertEquals(120, waitOf(2, DAY));
        assertEquals(3600, waitOf(7, DAY));
        assertEquals(3600, waitOf(1000, DAY));
        assertEquals(DAY, new KeepFresh.Contact(NOW, 0).next(null) - NOW);
    }

    @Test
    void sendsARequestImmediatelyAndThenWheneverOneIsDue() {
        double[] now = {NOW};
        String[] reason = {null};
        int[] requests = {0};
        List<State> states = new ArrayList<>();
        KeepFresh keeper = new KeepFresh(
                () -> now[0],
                () -> valid(reason[0]),
                () -> {
                    requests[0]++;
                    return valid(reason[0]);
                },
                status -> states.add(status.state()));
        List<Integer> counts = new ArrayList<>();
        // A laptop sleeps, and a clock is set back.
        for (double passed : List.of(0.0, DAY - 1.0, 1.0, 5.0 * DAY, -10.0 * DAY)) {
            now[0] += passed;
            keeper.check();
            counts.add(requests[0]);
        }
        reason[0] = "no_response";
        for (double passed : List.of((double) DAY, 60.0, 60.0, 60.0)) {
            now[0] += passed;
            keeper.check();
            counts.add(requests[0]);
        }
        assertEquals(List.of(1, 1, 2, 3, 4, 5, 6, 6, 7), counts);
        assertEquals(List.of(State.VALID), states);
    }

    @Test
    void continuesAfterACallbackThrowsAndReportsItToTheThreadHandler() {
        IllegalStateException thrown = new IllegalStateException("of the callback");
        double[] now = {NOW};
        int[] requests = {0};
        Status valid = valid(null);
        KeepFresh keeper = new KeepFresh(
                () -> now[0],
                () -> valid,
                () -> {
                    requests[0]++;
                    return valid;
                },
                status -> {
                    throw thrown;
                });
        List<Throwable> handled = new ArrayList<>();
        Thread.currentThread().setUncaughtExceptionHandler((thread, throwable) -> handled.add(throwable));
        try {
            keeper.check();
            now[0] += DAY;
            keeper.check();
        } finally {
            Thread.currentThread().setUncaughtExceptionHandler(null);
        }
        assertEquals(List.of(thrown), handled);
        assertEquals(2, requests[0]);
    }

    @Test
    void refreshesALicenseAndSendsHeartbeatsIfItHasLeases(@TempDir Path parent) throws Exception {
        try (Customer customer = new Customer(parent)) {
            customer.activated(Customer.certificate(7));
            customer.script(Customer.status(503));
            assertEquals(State.VALID, firstState(customer));
            assertEquals(List.of("/validate"), customer.paths);
            customer.license().forget();
            customer.activated(Customer.leased(3600));
            customer.script(Customer.reply("{\"success\":true,\"certificate\":\"" + Customer.leased(3600) + "\"}"));
            assertEquals(State.VALID, firstState(customer));
            assertEquals(List.of("/validate/heartbeat"), customer.paths);
            customer.script(Customer.status(503));
            assertEquals(State.VALID, firstState(customer));
            assertEquals(List.of("/validate/heartbeat", "/validate"), customer.paths);
        }
    }

    private static State firstState(Customer customer) throws Exception {
        CompletableFuture<State> first = new CompletableFuture<>();
        KeepFresh keeper = customer.license().keepFresh(status -> first.complete(status.state()));
        State state = first.get();
        keeper.close();
        return state;
    }
}
