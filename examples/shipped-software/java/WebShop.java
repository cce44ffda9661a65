import example.licenses.client.License;
import example.licenses.client.LicenseException;
import example.licenses.client.Status;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

class WebShop {
    public static void main(String[] args) throws LicenseException {
        // The response of GET /signing-keys. Paste it here: anyone who can change it at run time can license your software.
        String keys = System.getenv("SIGNING_KEYS");
        License license = License.builder()
                .service(System.getenv("SERVICE"))
                .issuer(find("\"issuer\":\"([^\"]+)\"", keys))
                .product("com.example.web-shop")
                .keys(find("\"current\":(\\{[^}]+\\})", keys), find("\"next\":(\\{[^}]+\\})", keys))
                .folder(Path.of(System.getenv("FOLDER")).toAbsolutePath())
                .build();
        try {
            // The certificate of each start is new, so a revocation arrives at the next one.
            license.refresh();
            license.ensure(System.getenv("KEY"));
        } catch (LicenseException exception) {
            System.err.println(exception.getMessage());
        }
        Status status = license.status();
        if (!status.isValid()) {
            System.err.println("Not licensed: " + status.state().code() + " (" + status.reason() + ").");
            System.exit(1);
        }
        DateTimeFormatter time = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
        String services = String.join(" and ", status.services());
        System.out.println("Licensed until " + time.format(status.validUntil()) + " for " + services + ".");
    }

    private static String find(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        if (!matcher.find()) throw new IllegalArgumentException("SIGNING_KEYS has no " + pattern);
        return matcher.group(1);
    }
}
