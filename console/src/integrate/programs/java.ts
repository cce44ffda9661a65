import { common, literal, type Program } from './program.js';

export const java: Program = {
  file: 'WebShop.java',
  install: {
    details:
      'Not on Maven Central yet: build it from the service repository, then add the dependency.',
    blocks: [
      {
        place: 'service',
        lines: ['mvn -q -f sdk/java install -Dmaven.test.skip=true'],
      },
      {
        place: 'pom.xml',
        lines: [
          '<dependency>',
          '  <groupId>example.licenses</groupId>',
          '  <artifactId>license-management-client</artifactId>',
          '  <version>0.1.0</version>',
          '</dependency>',
        ],
      },
    ],
  },
  source: `import example.licenses.client.License;
import example.licenses.client.Status;
import java.net.InetAddress;
import java.nio.file.Path;

class WebShop {
    public static void main(String[] args) throws Exception {
        License license = License.builder()
                .service("https://licenses.example")
                .product("com.example.web-shop")
                .issuer("ISSUER")
                .keys("""
                    CURRENT""", """
                    NEXT""")
                .folder(Path.of("/var/lib/web-shop"))
                .machineName(InetAddress.getLocalHost().getHostName())
                .build();
        Status status = license.ensure(System.getenv("LICENSE_KEY"));
        if (!status.isValid()) throw new IllegalStateException("This program is not licensed: " + status.state());
        System.out.println(status.perpetual() ? "Licensed" : "Licensed until " + status.expiresAt());
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
