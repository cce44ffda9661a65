package example.licenses.client;

import example.licenses.client.Program.Breach;
import example.licenses.client.Reply.Active;
import example.licenses.client.Reply.Failed;
import example.licenses.client.Reply.Leased;
import example.licenses.client.Reply.Received;
import example.licenses.client.Reply.Rejected;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.function.DoubleSupplier;
import java.util.function.UnaryOperator;

/** Verifies the service's replies and stores their content. */
final class Replies {
    private final StateFile file;
    private final Memory memory;
    private final DoubleSupplier now;

    Replies(StateFile file, Memory memory, DoubleSupplier now) {
        this.file = file;
        this.memory = memory;
        this.now = now;
    }

    /** Verifies the certificate or the rejection of a reply to a request with this key. */
    Reply verify(Reply reply, String key, Program program) throws IOException, LicenseException {
        if (reply instanceof Rejected rejected) return verifyRejection(rejected, key, program);
        if (!(reply instanceof Active active)) return reply;
        try {
            return new Received(active.certificate(), Certificate.read(active.certificate(), program), key);
        } catch (Breach breach) {
            return Failed.of("bad_certificate");
        }
    }

    private Reply verifyRejection(Rejected rejected, String key, Program program) throws IOException, LicenseException {
        StoredState stored = file.readOrNothing();
        OptionalLong provenAt = rejected.provenAt(program, stored.hasKey(key) ? stored.licenseId(program) : null);
        if (provenAt.isPresent()) return rejected.at(provenAt.getAsLong());
        String code = rejected.code() == null ? rejected.rejection().code() : rejected.code();
        return new Failed("unproved", code, rejected.message(), null, null);
    }

    /** Stores a verified reply, unless another process replaced or deleted the key during the request. */
    void accept(Reply reply, String key, Program program) throws IOException, LicenseException {
        if (reply instanceof Received received) {
            updateOf(key, stored -> after(received, stored, program));
            memory.noteSuccess(isOver(received));
        } else if (reply instanceof Rejected rejected) {
            memory.noteRejection(key, rejected);
            updateOf(key, stored -> stored.withRejection(rejected.rejection(), rejected.rejectedAt()));
            memory.noteStored();
        } else if (reply instanceof Leased) {
            // Nothing is signed, so a stored rejection stays.
            memory.noteFailure(null);
        } else if (reply instanceof Failed failed) {
            memory.noteFailure(failed.reason());
        }
    }

    /** Stores a certificate together with the key it was requested with. */
    void store(Received received, Program program) throws IOException, LicenseException {
        file.update(stored -> after(received, stored, program));
        memory.noteSuccess(!received.isInstalled() && isOver(received));
    }

    private StoredState after(Received received, StoredState stored, Program program) {
        return memory.withUnstored(stored).with(received, program, now.getAsDouble());
    }

    private void updateOf(String key, UnaryOperator<StoredState> change) throws IOException, LicenseException {
        file.update(stored -> stored.hasKey(key) ? change.apply(stored) : null);
    }

    /** Whether a newly issued certificate has already expired by the machine's clock. */
    private boolean isOver(Received received) {
        return "already_over".equals(received.certificate().judge(null, now.getAsDouble(), 0, true, null).reason());
    }
}
