package example.licenses.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFileTest {
    private static final String OTHER = "of another process";
    private Customer customer;

    @BeforeEach
    void begin(@TempDir Path parent) throws Exception {
        customer = new Customer(parent);
        customer.activated(Customer.certificate(7));
    }

    @AfterEach
    void end() {
        customer.close();
    }

    /** A clock on which each wait takes 1.5 seconds. */
    private static FolderLock.Clock pace(Runnable during) {
        return new FolderLock.Clock() {
            private long time;

            @Override
            public long nanoTime() {
                return time;
            }

            @Override
            public void sleep(Duration duration) {
                time += Duration.ofMillis(1500).toNanos();
                during.run();
            }
        };
    }

    private Path leaveLock(String content) {
        try {
            return Files.writeString(customer.folder.resolve("license.lock"), content);
        } catch (IOException exception) {
            throw new UncheckedIOException(exception);
        }
    }

    private String remembered() throws IOException {
        return Files.readString(customer.stateFile()).replaceAll(".*\"rememberedTime\":(\\d+).*", "$1");
    }

    @Test
    void takesTheLockOfAKilledProcess() throws Exception {
        leaveLock(OTHER);
        assertTrue(customer.license(pace(() -> {})).install(Customer.certificate(30)).isValid());
        assertEquals(1, customer.files().size());
    }

    @Test
    void waitsTenSecondsWhileOthersTakeTheLockInTurn() throws Exception {
        leaveLock(OTHER);
        List<Path> waits = new ArrayList<>();
        License license = customer.license(pace(() -> waits.add(leaveLock(OTHER + waits.size()))));
        LicenseException exception =
                assertThrows(LicenseException.class, () -> license.install(Customer.certificate(30)));
        assertEquals("The folder " + customer.folder + " cannot be used (EBUSY).", exception.getMessage());
        assertInstanceOf(FolderLock.Busy.class, exception.getCause());
        assertEquals(7, waits.size());
    }

    @Test
    void remembersTheTimeLaterIfAnotherProcessHoldsTheLock() throws Exception {
        License license = customer.license(pace(() -> fail("waited")));
        customer.now += Customer.DAY;
        Path lock = leaveLock(OTHER);
        assertTrue(license.status().isValid());
        assertEquals(String.valueOf(Customer.NOW), remembered());
        Files.delete(lock);
        license.status();
        assertEquals(String.valueOf(Customer.NOW + Customer.DAY), remembered());
    }

    @Test
    void changesNothingOnceTheLockIsLost() throws Exception {
        String before = Files.readString(customer.stateFile());
        Path file = customer.stateFile();
        FolderLock lock = new FolderLock(customer.folder, FolderLock.Clock.SYSTEM);
        assertThrows(FolderLock.Busy.class, () -> lock.hold(FolderLock.TIMEOUT, check -> {
            leaveLock(OTHER);
            WholeFile.write(file, new byte[0], check);
        }));
        assertEquals(before, Files.readString(file));
        assertEquals(OTHER, Files.readString(customer.folder.resolve("license.lock")));
        assertEquals(2, customer.files().size());
    }

    @Test
    void losesNoConcurrentChange() throws Exception {
        License shared = customer.license();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> writers = new ArrayList<>();
        for (int number = 0; number < 4; number++) {
            int first = 10 + number;
            License license = number > 1 ? customer.license() : shared;
            writers.add(threads.submit(() -> {
                for (int round = 0; round < 10; round++) {
                    license.install(Customer.certificate(first + 4 * round));
                    assertTrue(shared.status().isValid());
                }
                return null;
            }));
        }
        for (Future<?> writer : writers) writer.get();
        threads.shutdown();
        assertEquals(Instant.ofEpochSecond(Customer.NOW + 49 * Customer.DAY), shared.status().validUntil());
        assertEquals(1, customer.files().size());
    }

    private static void assertRevoked(String reason, Status status) {
        assertEquals(State.REVOKED, status.state());
        assertEquals(reason, status.reason());
    }

    @Test
    void keepsARejectionInMemoryIfItCannotBeStored() throws Exception {
        customer.script(Customer::revoke);
        License license = customer.license();
        // It has the name of a temporary file, but cannot be removed.
        Path blocked = customer.folder.resolve(customer.stateFile().getFileName() + ".blocked");
        Path inside = Files.createDirectories(blocked.resolve("folder"));
        assertRevoked("folder", license.refresh());
        assertRevoked("folder", license.status());
        Files.delete(inside);
        Files.delete(blocked);
        assertTrue(customer.license().status().isValid());
        assertRevoked("rejected", license.refresh());
        assertRevoked("rejected", customer.license().status());
    }

    @Test
    void reportsAFullDisk() {
        Path full = Path.of("/dev/full");
        IOException exception = assertThrows(IOException.class, () -> Files.write(full, new byte[1]));
        String message = FolderError.of(full, exception).getMessage();
        assertEquals("The folder /dev/full cannot be used (ENOSPC).", message);
    }
}
