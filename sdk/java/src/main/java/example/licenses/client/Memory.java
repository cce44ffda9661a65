package example.licenses.client;

import example.licenses.client.Reply.Rejected;

/** What a process knows in addition to the state file. Threads can share it. */
final class Memory {
    private String failure;
    private boolean isClockAhead;
    private Rejected unstored;
    private String unstoredKey;

    /** Why the last request to the service changed nothing; null if it succeeded. */
    synchronized String failure() {
        return failure;
    }

    synchronized void noteFailure(String reason) {
        failure = reason;
    }

    /** Whether a certificate had already expired when it was fetched; reset when the clock is set. */
    synchronized boolean isClockAhead() {
        return isClockAhead;
    }

    synchronized void setClockAhead(boolean isAhead) {
        isClockAhead = isAhead;
    }

    /** Remembers a rejection of the license with this key until it is stored. */
    synchronized void noteRejection(String key, Rejected rejected) {
        unstoredKey = key;
        unstored = rejected;
    }

    /** Records that the service's reply is in the state file. */
    synchronized void noteStored() {
        failure = null;
        unstored = null;
    }

    synchronized void noteSuccess(boolean isOver) {
        noteStored();
        isClockAhead = isOver;
    }

    /** Adds the rejection that could not be stored. */
    synchronized StoredState withUnstored(StoredState stored) {
        boolean isOfKey = unstored != null && stored.hasKey(unstoredKey);
        return isOfKey ? stored.withRejection(unstored.rejection(), unstored.rejectedAt()) : stored;
    }
}
