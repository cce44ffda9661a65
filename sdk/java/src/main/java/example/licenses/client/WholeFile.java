package example.licenses.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/** Writes files so that they are either complete or absent. */
final class WholeFile {
    private static final SecureRandom RANDOM = new SecureRandom();

    /** A step of a write. */
    @FunctionalInterface
    interface Step {
        void run() throws IOException;
    }

    private WholeFile() {}

    /**
     * Writes a temporary file and renames it after the check. A failed write keeps the old file and leaves
     * no temporary file.
     */
    static void write(Path file, byte[] data, Step check) throws IOException {
        withTemporary(file, data, temporary -> {
            check.run();
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        });
        sync(file.getParent());
    }

    /** Writes a temporary file, and deletes it. */
    static void probe(Path file, int size) throws IOException {
        withTemporary(file, new byte[size], temporary -> {});
    }

    private interface Use {
        void run(Path temporary) throws IOException;
    }

    private static void withTemporary(Path file, byte[] data, Use use) throws IOException {
        createFolder(file.getParent());
        Path temporary = file.resolveSibling(file.getFileName() + "." + randomHex());
        try {
            create(temporary, data);
            use.run(temporary);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /** Removes the temporary files left for a file. */
    static void removeTemporary(Path file) throws IOException {
        try (DirectoryStream<Path> others = Files.newDirectoryStream(file.getParent(), file.getFileName() + ".*")) {
            for (Path other : others) Files.deleteIfExists(other);
        } catch (DirectoryIteratorException exception) {
            throw exception.getCause();
        }
    }

    /** Creates a file with mode 0600, and flushes it to the disk. Fails if it exists. */
    static void create(Path file, byte[] data) throws IOException {
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(file, options, mode("rw-------"))) {
            ByteBuffer buffer = ByteBuffer.wrap(data);
            while (buffer.hasRemaining()) channel.write(buffer);
            channel.force(true);
        }
    }

    static void createFolder(Path folder) throws IOException {
        // createDirectories fails for a symbolic link to a folder.
        if (!Files.isDirectory(folder)) Files.createDirectories(folder, mode("rwx------"));
    }

    /** 16 random bytes. */
    static String randomHex() {
        byte[] data = new byte[16];
        RANDOM.nextBytes(data);
        return HexFormat.of().formatHex(data);
    }

    /** Empty if files have no such mode, as on Windows. */
    private static FileAttribute<?>[] mode(String permissions) {
        boolean isPosix = java.nio.file.FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        return isPosix
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))}
                : new FileAttribute<?>[0];
    }

    /** Makes a rename durable. Windows cannot open a folder, and some file systems cannot sync one. */
    private static void sync(Path folder) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException ignored) {
            // The file itself is already on the disk.
        }
    }
}
