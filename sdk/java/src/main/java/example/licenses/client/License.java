package example.licenses.client;

import example.licenses.client.Program.Breach;
import example.licenses.client.Reply.Failed;
import example.licenses.client.Reply.Received;
import example.licenses.client.Reply.Released;
import java.io.IOException;
import java.util.function.Consumer;

/** The license of one product on this machine. Its methods block. Threads can share it. */
public final class License {
    /** Seconds between writes of the remembered time, because frequent calls of status() must spare the disk. */
    private static final double REMEMBER_INTERVAL = 3600;

    private final Options options;
    private final ServiceClient client;

    private final FolderLock lock;
    private final StateFile file;
    private final Memory memory = new Memory();
    private final Replies replies;
    private String knownFingerprint;

    License(Options options, FolderLock.Clock clock) {
        this.options = options;
        this.client = new ServiceClient(options);

        this.lock = new FolderLock(options.folder(), clock);
        this.file = new StateFile(options, lock, this::fingerprint);
        this.replies = new Replies(file, memory, options.now());
        this.knownFingerprint = options.fingerprint();
    }

    /** Starts with the options. */
    public static LicenseBuilder builder() {
        return new LicenseBuilder();
    }

    /** Whether the program may run, according to the stored state. Uses no network and never throws. */
    public Status status() {
        try {
            Status status = judge();
            String failure = memory.failure();
            return failure == null || status.state() == State.NONE ? status : status.withReason(failure);
        } catch (Breach breach) {
            return breach.status();
        } catch (IOException | LicenseException exception) {
            return Status.of(State.UNREADABLE, reasonOf(exception));
        }
    }

    /**
     * Call this when the program starts. It does nothing if the license is valid. Otherwise it refreshes the
     * license or extends its lease. If that does not help, it activates the key.
     *
     * @param key if blank or null, nothing is activated, and nothing is thrown
     * @throws LicenseException as activate()
     */
    public Status ensure(String key) throws LicenseException {
        Status status = status();
        if (!status.isValid()) status = refreshOrBeat();
        return status.isValid() || Texts.key(key).isEmpty() ? status : activate(key);
    }

    /**
     * Takes a free seat on the license for this machine unless it holds one, and stores the key and
     * certificate. A different stored key is replaced only on success.
     *
     * @throws LicenseException {@code LICENSE_KEY_REQUIRED}, {@code folder}, {@code machine_id}, {@code
     * revoked}, {@code expired}, {@code suspended}, {@code other_machine}, a reason of refresh(), or the
     * service's own code, such as {@code MACHINE_LIMIT_REACHED}
     */
    public Status activate(String key) throws LicenseException {
        String trimmed = Texts.key(key);
        if (trimmed.isEmpty()) throw LicenseException.keyRequired("Enter a license key.");
        Program program = inFolder(() -> {
            // Checked before anything is sent, because an activation that cannot be stored would be lost.
            file.proveWritable();
            file.readOrNothing();
            return program();
        });
        Reply reply = inFolder(() -> replies.verify(client.activate(trimmed, program), trimmed, program));
        if (!(reply instanceof Received received)) throw reply.toException(trimmed);
        return store(received, program);
    }

    /**
     * Fetches a new certificate, or stores the service's rejection of the license. Without a valid
     * response, only the reason of the status changes: {@code no_response}, {@code untrusted_server},
     * {@code timeout}, {@code rate_limited}, {@code server_error}, {@code not_the_service}, {@code
     * unknown_key}, {@code request_rejected}, {@code no_certificate}, {@code bad_certificate}, {@code
     * unproved}, or {@code folder} if the response cannot be stored. Never throws.
     *
     * <p>It never takes a released seat again. Once a day is enough. For a license with leases, only
     * heartbeat() fetches certificates.
     */
    public Status refresh() {
        try {
            String key = file.readOrNothing().key();
            if (key != null) {
                Program program = program();
                replies.accept(replies.verify(client.refresh(key, program), key, program), key, program);
            }
        } catch (IOException | LicenseException exception) {
            memory.noteFailure(reasonOf(exception));
        }
        return status();
    }

    /**
     * Refreshes as often as the certificate requires, even after a laptop has slept. For a floating
     * license, sends heartbeats. Runs on a thread that does not keep the program running.
     *
     * @param onChange called on that thread with the first status and whenever the state changes @return
     * close it to stop
     */
    public KeepFresh keepFresh(Consumer<Status> onChange) {
        return new KeepFresh(options.now(), this::status, this::refreshOrBeat, onChange).start();
    }

    /**
     * For a floating license: extends this machine's lease or takes a free seat, and stores the new
     * certificate. Three times per lease is enough.
     *
     * @throws LicenseException as for activate(), or {@code LICENSE_HAS_NO_LEASES} or {@code
     * LICENSE_NOT_ACTIVATED}
     */
    public Status heartbeat() throws LicenseException {
        Reply reply = inFolder(() -> {
            String key = storedKey();
            Program program = program();
            Reply verified = replies.verify(client.heartbeat(key, program), key, program);
            if (!(verified instanceof Failed)) replies.accept(verified, key, program);
            return verified;
        });
        if (!(reply instanceof Received)) throw reply.toException("");
        return status();
    }

    /**
     * Releases this machine's seat and deletes the stored key and certificate, even if the machine holds no
     * seat.
     *
     * @throws LicenseException {@code LICENSE_KEY_REQUIRED}, {@code folder}, a reason of refresh(), or the
     * service's own code, such as {@code RELEASE_NOT_ALLOWED}, {@code RELEASE_LIMIT_REACHED}, {@code
     * CERTIFICATE_OUTSTANDING} or {@code MACHINE_NOT_FOUND}
     */
    public Status release() throws LicenseException {
        Reply reply = inFolder(() -> {
            String key = storedKey();
            // A certificate that cannot be deleted would act as a second seat.
            file.proveWritable();
            Reply released = client.release(key, program());
            boolean holdsNoSeat = released instanceof Failed failed && "MACHINE_NOT_FOUND".equals(failed.code());
            if (released instanceof Released || holdsNoSeat) {
                file.deleteOf(key);
                memory.noteSuccess(false);
            }
            return released;
        });
        if (!(reply instanceof Released)) throw reply.toException("");
        return status();
    }

    /**
     * For an offline machine: returns the JSON text that the vendor needs to issue a certificate.
     *
     * @throws LicenseException {@code folder} if the machine has no id and none can be stored in the
     * folder, or {@code machine_id}
     */
    public String request() throws LicenseException {
        return Texts.request(options.product(), inFolder(this::fingerprint));
    }

    /**
     * For an offline machine: stores the certificate that the vendor sent, even if a mail program has wrapped it.
     *
     * @throws LicenseException {@code folder}, {@code machine_id}, or why the text is not a certificate for
     * this program and machine:
     *     {@code format}, {@code header}, {@code key}, {@code signature}, {@code issuer}, {@code claims}, {@code product},
     *     {@code machine}
     */
    public Status install(String certificate) throws LicenseException {
        String text = Texts.certificate(certificate);
        Program program = inFolder(this::program);
        try {
            return store(new Received(text, Certificate.read(text, program), null), program);
        } catch (Breach breach) {
            throw new LicenseException(breach.reason, Messages.CERTIFICATE.get(breach.reason));
        }
    }

    /**
     * Deletes the stored key and certificate. The license stays bound to this machine.
     *
     * @throws LicenseException {@code folder}
     */
    public void forget() throws LicenseException {
        inFolder(() -> {
            file.delete();
            return null;
        });
        memory.noteSuccess(false);
    }

    private Status judge() throws IOException, LicenseException, Breach {
        StoredState stored = memory.withUnstored(file.read());
        if (stored.certificate() == null) {
            State rejection = stored.rejection();
            return rejection == null ? Status.of(State.NONE, null) : Status.of(rejection, "rejected");
        }
        double now = options.now().getAsDouble();
        Status status = stored.judge(program(), now, memory.isClockAhead());
        if (status.isValid()) {
            memory.setClockAhead(false);
            if (now - stored.rememberedTime() >= REMEMBER_INTERVAL) rememberTime(stored.certificate(), now);
        }
        return status;
    }

    private void rememberTime(String certificate, double now) {
        try {
            file.tryUpdate(stored -> certificate.equals(stored.certificate())
                    ? stored.withRememberedTime(Math.max(stored.rememberedTime(), (long) now))
                    : null);
        } catch (IOException | LicenseException ignored) {
            // The license stays valid in a read-only folder, and if another process holds the lock, a later
            // call writes the time.
        }
    }

    private Status refreshOrBeat() {
        try {
            StoredState stored = file.readOrNothing();
            if (stored.key() != null && stored.isLeased(program())) return heartbeat();
        } catch (IOException | LicenseException ignored) {
            // The refresh reports why.
        }
        return refresh();
    }

    private Status store(Received received, Program program) throws LicenseException {
        inFolder(() -> {
            replies.store(received, program);
            return null;
        });
        return status();
    }

    private String storedKey() throws IOException, LicenseException {
        String key = file.readOrNothing().key();
        if (key == null) throw LicenseException.keyRequired("No license key is stored. Activate one first.");
        return key;
    }

    private Program program() throws IOException, LicenseException {
        return new Program(options.issuer(), options.product(), options.keys(), fingerprint(), options.releasedAt());
    }

    private synchronized String fingerprint() throws IOException, LicenseException {
        if (knownFingerprint == null) knownFingerprint = new MachineId(options, MachineId.THIS, lock).fingerprint();
        return knownFingerprint;
    }

    private static String reasonOf(Exception exception) {
        return exception instanceof LicenseException known && known.code().equals("machine_id") ? "machine_id" : "folder";
    }

    private interface FolderAction<Result> {
        Result run() throws IOException, LicenseException;
    }

    private <Result> Result inFolder(FolderAction<Result> action) throws LicenseException {
        try {
            return action.run();
        } catch (IOException exception) {
            throw FolderError.of(options.folder(), exception);
        }
    }
}
