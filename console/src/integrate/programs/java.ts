import { common, literal, type Program } from './program.js';

export const java: Program = {
  file: 'WebShop.java',
  install: {
    details:
      'Not on Maven Central yet: install it from your checkout of the service repository (CHECKOUT), then add the dependency to pom.xml.',
    lines: [
      'mvn -q -f "$CHECKOUT/sdk/java" install -Dmaven.test.skip=true',
      '<dependency>',
      '  <groupId>example.licenses</groupId>',
      '  <artifactId>license-management-client</artifactId>',
      '  <version>0.1.0</version>',
      '</dependency>',
    ],
  },
  source: `import example.licenses.client.License;
import example.licenses.client.LicenseException;
import example.licenses.client.Status;
import java.nio.file.Path;

class WebShop {
    public static void main(String[] args) throws LicenseException {
        License license = License.builder()
                .service("https://licenses.example")
                .product("com.example.web-shop")
                .issuer("ISSUER")
                .keys("""
                    CURRENT""", """
                    NEXT""")
                .folder(Path.of("/var/lib/web-shop"))
                .build();
        Status status = license.ensure(System.getenv("LICENSE_KEY"));
        if (!status.isValid()) throw new IllegalStateException("This program is not licensed: " + status.state());
        license.keepFresh(changed -> System.out.println("License: " + changed.state()));
    }
}
`,
  fill: (values) => [
    ...common(values),
    ['"ISSUER"', literal(values.issuer)],
    ['CURRENT"""', `${JSON.stringify(values.current)}"""`],
    ['NEXT"""', `${JSON.stringify(values.next)}"""`],
  ],
};
