package example.licenses.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/** A file that only one process at a time can create, so the others do not change the folder. */
final class FolderLock {
    /** How long to wait while others hold the lock. */
    static final Duration TIMEOUT = Duration.ofSeconds(10);
    /** After this time, an unchanged lock counts as left by a killed process. Writes take milliseconds. */
    private static final Duration ABANDONED_AFTER = Duration.ofSeconds(2);
    private static final Duration INTERVAL = Duration.ofMillis(5);

    /** A monotonic clock. */
    interface Clock {
        long nanoTime();

        void sleep(Duration duration) throws InterruptedException;

        Clock SYSTEM = new Clock() {
            @Override
            public long nanoTime() {
                return System.nanoTime();
            }

            @Override
            public void sleep(Duration duration) throws InterruptedException {
                Thread.sleep(duration.toMillis());
            }
        };
    }

    /** The lock was lost, or others held it for too long. */
    static final class Busy extends FileSystemException {
        private static final long serialVersionUID = 1;

        Busy(Path file) {
            super(file.toString(), null, "Device or resource busy");
        }
    }

    /** The work of a process that holds the lock. */
    @FunctionalInterface
    interface Action {
        /** @param check fails once the lock is lost, which can happen if the process is suspended */
        void run(WholeFile.Step check) throws IOException;
    }

    private final Path path;
    private final Clock clock;

    FolderLock(Path folder, Clock clock) {
        this.path = folder.resolve("license.lock");
        this.clock = clock;
    }

    void hold(Duration timeout, Action action) throws IOException {
        String token = WholeFile.randomHex();
        acquire(token, timeout);
        removeLeft();
        try {
            action.run(() -> {
                if (!token.equals(content())) throw new Busy(path);
            });
        } finally {
            if (token.equals(content())) delete(path);
        }
    }

    /** Left by a process that was killed while removing an abandoned lock. */
    private void removeLeft() {
        try {
            WholeFile.removeTemporary(path);
        } catch (IOException ignored) {
            // The next process tries again.
        }
    }

    private void acquire(String token, Duration timeout) throws IOException {
        WholeFile.createFolder(path.getParent());
        long start = clock.nanoTime();
        long since = start;
        String holder = content();
        while (!create(token)) {
            long now = clock.nanoTime();
            String present = content();
            if (!Objects.equals(present, holder)) {
                holder = present;
                since = now;
            } else if (holder != null && now - since > ABANDONED_AFTER.toNanos()) {
                remove(holder);
            }
            if (now - start >= timeout.toNanos()) throw new Busy(path);
            try {
                clock.sleep(INTERVAL);
            } catch (InterruptedException exception) {
                Thread.currentThread().interrupt();
                throw new Busy(path);
            }
        }
    }

    private boolean create(String token) throws IOException {
        try {
            WholeFile.create(path, token.getBytes(StandardCharsets.US_ASCII));
            return true;
        } catch (FileAlreadyExistsException exception) {
            return false;
        }
    }

    /** Removes the lock of a killed process, unless another process has taken it. */
    private void remove(String holder) {
        Path removed = path.resolveSibling(path.getFileName() + "." + WholeFile.randomHex());
        try {
            Files.move(path, removed);
            if (!holder.equals(content(removed))) Files.createLink(path, removed);
        } catch (IOException ignored) {
            // Another process was faster.
        }
        delete(removed);
    }

    /** A lock that cannot be deleted, such as on Windows while another process reads it, counts as abandoned. */
    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException ignored) {
            // Other processes remove it.
        }
    }

    private String content() {
        return content(path);
    }

    /** Null if the file is absent, unreadable or not a regular file. */
    private static String content(Path file) {
        try {
            byte[] data = RegularFile.read(file);
            return data == null ? null : new String(data, StandardCharsets.ISO_8859_1);
        } catch (IOException exception) {
            return null;
        }
    }
}
