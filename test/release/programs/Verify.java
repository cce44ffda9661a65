import example.licenses.client.License;
import example.licenses.client.LicenseException;
import java.nio.file.Path;

class Verify {
    public static void main(String[] args) throws LicenseException {
        License license = License.builder()
                .service("https://licenses.example")
                .folder(Path.of(args[0]))
                .issuer(args[1])
                .product(args[2])
                .fingerprint(args[3])
                .keys(args[5], args[6])
                .build();
        try {
            System.out.println(license.install(args[4]).state().code());
        } catch (LicenseException error) {
            System.out.println(error.code());
        }
    }
}
