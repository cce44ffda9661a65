package example.licenses.client;

import example.licenses.client.Reply.Rejected;

/** What a process knows, and the state file does not. Threads may share it. */
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

    /** Whether a certificate was over when it was fetched, and the clock has not been set since. */
    synchronized boolean isClockAhead() {
        return isClockAhead;
    }

    synchronized void setClockAhead(boolean isAhead) {
        isClockAhead = isAhead;
    }

    /** Keeps a rejection of the license of this key until it is stored. */
    synchronized void noteRejection(String key, Rejected rejected) {
        unstoredKey = key;
        unstored = rejected;
    }

    /** The reply of the service is in the state file. */
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
