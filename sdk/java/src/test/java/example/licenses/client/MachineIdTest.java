package example.licenses.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineIdTest {
    private static final String ID = "4c4c4544004b351080484c4f44334a32";
    /** The HMAC of the product, keyed with this id. */
    private static final String FINGERPRINT = "86a1011cdfa5a87797e82dfc10390ba88ff3c8080f6bca58033eae37df1a5487";

    /** A system whose query fails a given number of times. */
    private static final class Fake implements MachineId.Machine {
        String name = "Linux";
        Map<String, String> variables = Map.of();
        Set<String> files = Set.of();
        String text = ID;
        List<String> command;
        int failures;

        @Override
        public String name() {
            return name;
        }

        @Override
        public String variable(String variable) {
            return variables.get(variable);
        }

        @Override
        public boolean exists(String file) {
            return files.contains(file);
        }

        @Override
        public String read(String file) throws IOException {
            if (failures-- > 0) throw new IOException("fails");
            if (text == null) throw new NoSuchFileException(file);
            return text;
        }

        @Override
        public String run(List<String> given) throws IOException {
            command = given;
            return read(given.get(0));
        }
    }

    private Customer customer;

    @BeforeEach
    void begin(@TempDir Path parent) {
        customer = new Customer(parent);
    }

    private String fingerprint(Fake fake, boolean allowRandomId) throws IOException, LicenseException {
        Options options = Options.check(customer.options().allowRandomId(allowRandomId));
        return new MachineId(options, fake, new FolderLock(customer.folder, FolderLock.Clock.SYSTEM)).fingerprint();
    }

    @Test
    void isTheIdOfTheSystem() throws Exception {
        Fake mac = new Fake();
        mac.name = "Mac OS X";
        mac.text = "  \"IOPlatformUUID\" = \"4C4C4544-004B-3510-8048-4C4F44334A32\"\n";
        Fake windows = new Fake();
        windows.name = "Windows 11";
        windows.text = "    MachineGuid    REG_SZ    4c4c4544-004b-3510-8048-4c4f44334a32\r\n";
        Fake freebsd = new Fake();
        freebsd.name = "FreeBSD";
        freebsd.files = Set.of("/.dockerenv");
        for (Fake fake : List.of(new Fake(), mac, windows, freebsd)) {
            assertEquals(FINGERPRINT, fingerprint(fake, false));
        }
        assertEquals(List.of("/usr/sbin/ioreg", "-rd1", "-c", "IOPlatformExpertDevice"), mac.command);
        assertEquals("C:\\Windows\\System32\\reg.exe", windows.command.get(0));
        assertEquals("/reg:64", windows.command.get(5));
        assertFalse(Files.exists(customer.folder));
    }

    @Test
    void isRandomAndStoredInAContainerAndOnAMachineWithoutAnId() throws Exception {
        Fake docker = new Fake();
        docker.files = Set.of("/.dockerenv");
        Fake podman = new Fake();
        podman.files = Set.of("/run/.containerenv");
        Fake kubernetes = new Fake();
        kubernetes.variables = Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1");
        Fake absent = new Fake();
        absent.text = null;
        Fake constant = new Fake();
        constant.text = "03000200-0400-0500-0006-000700080009";
        for (Fake fake : List.of(docker, podman, kubernetes, absent, constant)) {
            String random = fingerprint(fake, true);
            assertEquals(random, fingerprint(fake, true));
            assertEquals(32, Files.readString(customer.folder.resolve("machine-id")).length());
            LicenseException exception = assertThrows(LicenseException.class, () -> fingerprint(fake, false));
            assertEquals("This machine has no unique id.", exception.getMessage());
            Files.delete(customer.folder.resolve("machine-id"));
        }
    }

    @Test
    void isQueriedThreeTimesBeforeItIsAnError() throws Exception {
        Fake fake = new Fake();
        fake.failures = 2;
        assertEquals(FINGERPRINT, fingerprint(fake, true));
        fake.failures = 3;
        LicenseException exception = assertThrows(LicenseException.class, () -> fingerprint(fake, true));
        assertEquals("machine_id", exception.code());
        assertInstanceOf(IOException.class, exception.getCause());
        fake.text = "uninitialized\n";
        assertThrows(LicenseException.class, () -> fingerprint(fake, true));
        for (String name : List.of("Mac OS X", "Windows 11")) {
            fake.name = name;
            fake.text = "another entry";
            assertThrows(LicenseException.class, () -> fingerprint(fake, true));
        }
        assertFalse(Files.exists(customer.folder));
    }

    @Test
    void isAFolderErrorIfTheRandomIdIsDamaged() throws Exception {
        Files.createDirectories(customer.folder);
        Path file = Files.createFile(customer.folder.resolve("machine-id"));
        Fake fake = new Fake();
        fake.text = "";
        LicenseException exception = assertThrows(LicenseException.class, () -> fingerprint(fake, true));
        assertEquals("The file " + file + " is damaged. Restore or delete it.", exception.getMessage());
    }
}
