package example.licenses.client;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Sends a request immediately, and then whenever one is due, on a thread that does not keep the program
 * running. Close it to stop.
 */
public final class KeepFresh implements AutoCloseable {
    /** Time between checks of the clock, because a timer alone does not count while a laptop sleeps. */
    private static final Duration TICK = Duration.ofMinutes(1);
    /** Seconds between two requests. */
    private static final double MAX_INTERVAL = 86_400;
    private static final double MIN_INTERVAL = 60;
    /** The first and the longest pause after failed requests, in seconds; it doubles each time. */
    private static final double FIRST_RETRY = 60;
    private static final double MAX_RETRY = 3600;
    private static final Set<String> FAILURES = Set.of(
            "no_response", "untrusted_server", "timeout", "rate_limited", "server_error", "not_the_service", "unknown_key",
            "no_certificate", "bad_certificate", "unproved", "request_rejected");

    /**
     * The last request.
     *
     * @param at in seconds since 1970
     * @param failures failed requests since the last success
     */
    record Contact(double at, int failures) {
        /**
         * When the next request is due: after a third of the certificate's remaining time, but at least
         * daily.
         *
         * @param validUntil when the current certificate expires, or null
         */
        double next(Instant validUntil) {
            if (failures > 0) return at + Math.min(MAX_RETRY, FIRST_RETRY * Math.pow(2, failures - 1));
            double rest = validUntil == null ? Double.POSITIVE_INFINITY : validUntil.getEpochSecond() - at;
            return at + Math.max(MIN_INTERVAL, Math.min(MAX_INTERVAL, rest / 3));
        }
    }

    private final DoubleSupplier now;
    private final Supplier<Status> status;
    private final Supplier<Status> refresh;
    private final Consumer<Status> onChange;
    private final Thread thread = new Thread(this::run, "license refresh");
    private volatile boolean isClosed;
    private Contact last;
    private State state;

    KeepFresh(DoubleSupplier now, Supplier<Status> status, Supplier<Status> refresh, Consumer<Status> onChange) {
        this.now = now;
        this.status = status;
        this.refresh = refresh;
        this.onChange = onChange;
    }

    KeepFresh start() {
        thread.setDaemon(true);
        thread.start();
        return this;
    }

    @Override
    public void close() {
        isClosed = true;
        // A callback may also close it.
        if (Thread.currentThread() != thread) thread.interrupt();
    }

    private void run() {
        while (!isClosed) {
            check();
            try {
                if (!isClosed) Thread.sleep(TICK.toMillis());
            } catch (InterruptedException exception) {
                return;
            }
        }
    }

    /** Sends a request if one is due. */
    void check() {
        if (!isDue()) return;
        Status fresh = refresh.get();
        boolean hasFailed = fresh.reason() != null && FAILURES.contains(fresh.reason());
        int earlier = last == null ? 0 : last.failures;
        last = new Contact(now.getAsDouble(), hasFailed ? earlier + 1 : 0);
        if (isClosed || fresh.state() == state) return;
        state = fresh.state();
        try {
            onChange.accept(fresh);
        } catch (RuntimeException | Error thrown) {
            // Reports the exception as if it had ended the thread, but the license is still refreshed.
            Thread current = Thread.currentThread();
            current.getUncaughtExceptionHandler().uncaughtException(current, thrown);
        }
    }

    private boolean isDue() {
        if (last == null) return true;
        double time = now.getAsDouble();
        // Setting the clock back does not delay a request.
        return time < last.at || time >= last.next(status.get().validUntil());
    }
}
