package example.licenses.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Derives the fingerprint of this machine. */
final class MachineId {
    /** Placeholder ids of firmware, and ids from documentation. */
    private static final Set<String> CONSTANTS = Set.of(
            "00020003000400050006000700080009",
            "03000200040005000006000700080009",
            "0123456789abcdef0123456789abcdef");
    private static final Pattern MAC = Pattern.compile("\"IOPlatformUUID\" = \"(.+)\"");
    private static final Pattern WINDOWS = Pattern.compile("REG_SZ\\s+(\\S+)");
    /** How often to query an id before giving up. */
    private static final int ATTEMPTS = 3;

    /** The operating system that the id is read from. */
    interface Machine {
        /** The value of the property {@code os.name}. */
        String name();

        String variable(String name);

        boolean exists(String file);

        String read(String file) throws IOException;

        /** The output of a command. */
        String run(List<String> command) throws IOException;
    }

    private final Options options;
    private final Machine machine;
    private final FolderLock lock;

    MachineId(Options options, Machine machine, FolderLock lock) {
        this.options = options;
        this.machine = machine;
        this.lock = lock;
    }

    /**
     * The HMAC-SHA-256 of the product, keyed with the machine's id, in hexadecimal. A machine without an
     * id, and every container, gets a random one, stored in the folder.
     */
    String fingerprint() throws IOException, LicenseException {
        String id = usable(query());
        if (id == null && !options.allowRandomId()) {
            throw new LicenseException("machine_id", "This machine has no unique id.");
        }
        return hmac(id == null ? kept() : id, options.product());
    }

    /** Retries: replacing a temporarily unavailable id with a random one would count as another machine. */
    private String query() throws LicenseException {
        IOException cause = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                return systemId();
            } catch (IOException exception) {
                cause = exception;
            }
        }
        String message = "The id of this machine cannot be read at the moment. Try again.";
        throw new LicenseException("machine_id", message, null, cause);
    }

    /** The id of the system, or a text that is not an id. */
    private String systemId() throws IOException {
        String name = machine.name();
        if (name.startsWith("Mac")) {
            return firstGroup(MAC, machine.run(List.of("/usr/sbin/ioreg", "-rd1", "-c", "IOPlatformExpertDevice")));
        }
        if (name.startsWith("Windows")) {
            String folder = machine.variable("SystemRoot");
            String command = (folder == null ? "C:\\Windows" : folder) + "\\System32\\reg.exe";
            String key = "HKLM\\SOFTWARE\\Microsoft\\Cryptography";
            return firstGroup(WINDOWS, machine.run(List.of(command, "query", key, "/v", "MachineGuid", "/reg:64")));
        }
        // The id inside a container belongs to its image: all its containers share it.
        String kubernetes = machine.variable("KUBERNETES_SERVICE_HOST");
        boolean isContainer = machine.exists("/.dockerenv") || machine.exists("/run/.containerenv")
                || kubernetes != null && !kubernetes.isEmpty();
        if (name.equals("Linux") && isContainer) return "";
        try {
            String id = machine.read("/etc/machine-id");
            // The system's first start, before the id is written.
            if (id.strip().equals("uninitialized")) throw new IOException("The system has not been set up yet.");
            return id;
        } catch (NoSuchFileException exception) {
            return "";
        }
    }

    /** A command without output has failed. */
    private static String firstGroup(Pattern pattern, String printed) throws IOException {
        Matcher matcher = pattern.matcher(printed);
        if (!matcher.find()) throw new IOException("The command has printed no id.");
        return matcher.group(1);
    }

    /** Null for a text that does not identify a machine. */
    private static String usable(String text) {
        String id = text.strip().toLowerCase(Locale.ROOT).replace("-", "");
        boolean isOwn = id.matches("[0-9a-f]{32}") && id.chars().distinct().count() > 2 && !CONSTANTS.contains(id);
        return isOwn ? id : null;
    }

    private String kept() throws IOException, LicenseException {
        Path file = options.folder().resolve("machine-id");
        if (!Files.exists(file)) {
            lock.hold(FolderLock.TIMEOUT, check -> {
                WholeFile.removeTemporary(file);
                // If two processes start at the same time, both use the id of the first.
                if (Files.exists(file)) return;
                WholeFile.write(file, WholeFile.randomHex().getBytes(StandardCharsets.US_ASCII), check);
            });
        }
        byte[] data = RegularFile.read(file);
        String id = data == null ? null : usable(new String(data, StandardCharsets.ISO_8859_1));
        if (id != null) return id;
        throw new LicenseException("folder", "The file " + file + " is damaged. Restore or delete it.");
    }

    private static String hmac(String key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException exception) {
            throw new IllegalStateException("Every Java has HmacSHA256.", exception);
        }
    }

    /** The machine that the program runs on. */
    static final Machine THIS = new Machine() {
        private static final Duration TIMEOUT = Duration.ofSeconds(5);

        @Override
        public String name() {
            return System.getProperty("os.name");
        }

        @Override
        public String variable(String name) {
            return System.getenv(name);
        }

        @Override
        public boolean exists(String file) {
            return Files.exists(Path.of(file));
        }

        @Override
        public String read(String file) throws IOException {
            return Files.readString(Path.of(file), StandardCharsets.ISO_8859_1);
        }

        @Override
        public String run(List<String> command) throws IOException {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            process.onExit().orTimeout(TIMEOUT.toSeconds(), java.util.concurrent.TimeUnit.SECONDS)
                    .whenComplete((ended, timeout) -> process.destroyForcibly());
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            try {
                if (process.waitFor() == 0) return printed;
            } catch (InterruptedException exception) {
                Thread.currentThread().interrupt();
            }
            throw new IOException(command.get(0) + " has failed.");
        }
    };
}
