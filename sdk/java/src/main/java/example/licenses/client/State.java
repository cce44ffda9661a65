package example.licenses.client;

/** Whether the program may run, and if not, why. */
public enum State {
    /** The program may run. */
    VALID,
    /** Nothing is stored. */
    NONE,
    /** The certificate has expired. */
    ENDED,
    /** The license has expired. */
    EXPIRED,
    /** The license is suspended. */
    SUSPENDED,
    /** The lease of this machine has expired. */
    LEASE_ENDED,
    /** The license has been revoked. */
    REVOKED,
    /** The license, its certificate or the state file is for another machine. */
    OTHER_MACHINE,
    /** The certificate is for another product. */
    OTHER_PRODUCT,
    /** The clock of the machine is wrong. */
    CLOCK,
    /** The certificate or the state file has been tampered with. */
    DAMAGED,
    /** The build is newer than the updates of the license. */
    UPDATE_NOT_COVERED,
    /** The folder or the id of the machine cannot be read. */
    UNREADABLE;

    /** The name used in every SDK and in the state file, such as {@code lease_ended}. */
    public String code() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
