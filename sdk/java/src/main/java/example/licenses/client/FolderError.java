package example.licenses.client;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

/** File system errors by their names in the C library, for support staff. */
final class FolderError {
    /** Java offers only the text of an error, which is in English on most systems. */
    private static final Map<String, String> NAMES = Map.of(
            "No space left on device", "ENOSPC",
            "There is not enough space on the disk", "ENOSPC",
            "Read-only file system", "EROFS",
            "Not a directory", "ENOTDIR",
            "Is a directory", "EISDIR",
            "not a file", "EISDIR",
            "Device or resource busy", "EBUSY",
            "Input/output error", "EIO");

    private FolderError() {}

    static LicenseException of(Path folder, IOException exception) {
        String message = "The folder " + folder + " cannot be used (" + name(exception) + ").";
        return new LicenseException("folder", message, null, exception);
    }

    private static String name(IOException exception) {
        if (exception instanceof AccessDeniedException) return "EACCES";
        if (exception instanceof NoSuchFileException) return "ENOENT";
        if (exception instanceof FileAlreadyExistsException) return "EEXIST";
        String text = exception instanceof FileSystemException known ? known.getReason() : exception.getMessage();
        String other = exception.getClass().getSimpleName().replaceFirst("Exception$", "");
        return NAMES.getOrDefault(String.valueOf(text), other);
    }
}
