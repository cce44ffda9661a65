package example.licenses.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Reads a file of the folder, and never waits for anything except a regular file. */
final class RegularFile {
    static final int MAX_SIZE = 65_536;

    private RegularFile() {}

    /**
     * At most one byte more than MAX_SIZE; null if the file does not exist. Anything except a regular file
     * is an error.
     */
    static byte[] read(Path path) throws IOException {
        try {
            // Never waits for a pipe.
            if (!Files.readAttributes(path, BasicFileAttributes.class).isRegularFile()) {
                throw new FileSystemException(path.toString(), null, "not a file");
            }
            try (InputStream stream = Files.newInputStream(path)) {
                return stream.readNBytes(MAX_SIZE + 1);
            }
        } catch (NoSuchFileException exception) {
            return null;
        }
    }
}
