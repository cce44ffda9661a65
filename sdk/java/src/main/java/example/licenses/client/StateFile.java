package example.licenses.client;

import example.licenses.client.Program.Breach;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Stores the state for one product of one issuer, in a file that no other machine accepts. */
final class StateFile {
    /** Larger than any state file, so an almost full disk is detected. */
    private static final int PROBE_SIZE = 16_384;
    private static final Set<State> REJECTIONS =
            Set.of(State.REVOKED, State.EXPIRED, State.OTHER_MACHINE, State.SUSPENDED, State.LEASE_ENDED);

    /** The fingerprint of this machine, derived only to read or write a file. */
    interface Fingerprint {
        String get() throws IOException, LicenseException;
    }

    private final Path path;
    private final String issuer;
    private final String product;
    private final Fingerprint fingerprint;
    private final FolderLock lock;
    private final ReentrantLock threads = new ReentrantLock();

    StateFile(Options options, FolderLock lock, Fingerprint fingerprint) {
        this.issuer = options.issuer();
        this.product = options.product();
        byte[] hash = Base64Url.sha256("license-state:v1", issuer, product);
        this.path = options.folder().resolve("license-" + HexFormat.of().formatHex(hash, 0, 16) + ".json");
        this.lock = lock;
        this.fingerprint = fingerprint;
    }

    StoredState read() throws IOException, LicenseException, Breach {
        byte[] data = RegularFile.read(path);
        return data == null ? StoredState.NOTHING : parse(data);
    }

    /** An empty state if the file is damaged or belongs to another machine. */
    StoredState readOrNothing() throws IOException, LicenseException {
        try {
            return read();
        } catch (Breach breach) {
            return StoredState.NOTHING;
        }
    }

    /** Replaces the state with the result of the change, unless that is null. */
    void update(UnaryOperator<StoredState> change) throws IOException, LicenseException {
        // Without a change, nothing is written, so a read-only folder also works.
        if (change.apply(readOrNothing()) == null) return;
        String machine = machine();
        threads.lock();
        try {
            replace(change, machine, FolderLock.TIMEOUT);
        } finally {
            threads.unlock();
        }
    }

    /** Like update, but gives up if another thread or process has the lock. */
    void tryUpdate(UnaryOperator<StoredState> change) throws IOException, LicenseException {
        if (change.apply(readOrNothing()) == null || !threads.tryLock()) return;
        try {
            replace(change, machine(), Duration.ZERO);
        } finally {
            threads.unlock();
        }
    }

    private void replace(UnaryOperator<StoredState> change, String machine, Duration timeout) throws IOException {
        hold(timeout, check -> {
            StoredState next = change.apply(readFor(machine));
            if (next != null) WholeFile.write(path, serialize(next, machine), check);
        });
    }

    /** Writes and deletes a file larger than any state file. */
    void proveWritable() throws IOException {
        threads.lock();
        try {
            hold(FolderLock.TIMEOUT, check -> WholeFile.probe(path, PROBE_SIZE));
        } finally {
            threads.unlock();
        }
    }

    /** Deletes the state, even if it cannot be read. */
    void delete() throws IOException {
        remove(null, stored -> true);
    }

    /** Deletes the state if it is for this license key. */
    void deleteOf(String key) throws IOException, LicenseException {
        remove(machine(), stored -> stored.hasKey(key));
    }

    /** @param machine null if the state is irrelevant */
    private void remove(String machine, Predicate<StoredState> matches) throws IOException {
        if (!Files.exists(path.getParent())) return;
        threads.lock();
        try {
            hold(FolderLock.TIMEOUT, check -> {
                StoredState stored = machine == null ? StoredState.NOTHING : readFor(machine);
                if (matches.test(stored)) Files.deleteIfExists(path);
            });
        } finally {
            threads.unlock();
        }
    }

    private void hold(Duration timeout, FolderLock.Action action) throws IOException {
        lock.hold(timeout, check -> {
            // While this process holds the lock, every temporary file is from a killed process.
            WholeFile.removeTemporary(path);
            action.run(check);
        });
    }

    /** Binds the file to this machine. */
    private String machine() throws IOException, LicenseException {
        return Base64Url.encode(Base64Url.sha256("license-state:v1", issuer, product, fingerprint.get()));
    }

    private static byte[] serialize(StoredState state, String machine) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("version", 1);
        members.put("machine", machine);
        members.put("key", state.key());
        members.put("certificate", state.certificate());
        members.put("installed", state.installed());
        members.put("rejection", state.rejection() == null ? null : state.rejection().code());
        members.put("rejectedAt", state.rejectedAt());
        members.put("rememberedTime", state.rememberedTime());
        return Json.write(members).getBytes(StandardCharsets.UTF_8);
    }

    private StoredState readFor(String machine) throws IOException {
        byte[] data = RegularFile.read(path);
        try {
            Map<String, Object> members = data == null ? Map.of() : members(data);
            return machine.equals(members.get("machine")) ? toState(members) : StoredState.NOTHING;
        } catch (Breach breach) {
            return StoredState.NOTHING;
        }
    }

    private StoredState parse(byte[] data) throws Breach, IOException, LicenseException {
        Map<String, Object> members = members(data);
        if (!machine().equals(members.get("machine"))) throw new Breach(State.OTHER_MACHINE, "state_file");
        return toState(members);
    }

    /** The members of a file with the right version and machine, read by their types. */
    private static Map<String, Object> members(byte[] data) throws Breach {
        Map<String, Object> members = data.length > RegularFile.MAX_SIZE ? null : Json.parseObject(data);
        boolean isState = members != null
                && Json.asInteger(members.get("version")).equals(OptionalLong.of(1))
                && members.get("machine") instanceof String;
        if (!isState) throw Breach.damaged("state_file");
        return members;
    }

    private static StoredState toState(Map<String, Object> members) throws Breach {
        // Older versions recorded neither installed certificates (they kept only the last to expire) nor
        // the time of a rejection.
        if (!members.containsKey("rejectedAt")) members.put("rejectedAt", 0.0);
        if (!members.containsKey("installed")) members.put("installed", members.get("certificate"));
        String rejection = text(members, "rejection");
        State ended = REJECTIONS.stream().filter(state -> state.code().equals(rejection)).findFirst().orElse(null);
        if (rejection != null && ended == null) throw Breach.damaged("state_file");
        return new StoredState(
                text(members, "key"),
                text(members, "certificate"),
                text(members, "installed"),
                ended,
                integer(members, "rejectedAt"),
                integer(members, "rememberedTime"));
    }

    /** A member that is text or null. */
    private static String text(Map<String, Object> members, String name) throws Breach {
        Object value = members.get(name);
        boolean isRight = members.containsKey(name) && (value == null || value instanceof String);
        if (!isRight) throw Breach.damaged("state_file");
        return (String) value;
    }

    private static long integer(Map<String, Object> members, String name) throws Breach {
        return Json.asInteger(members.get(name)).orElseThrow(() -> Breach.damaged("state_file"));
    }
}
