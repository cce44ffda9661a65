import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { active, Customer, ISSUER, KEY, NOWHERE } from './customer.js';
import { Issuer } from './issuer.js';
import { buildJavaRunner, describeWithJava } from './java.js';
import { programFingerprint } from './program-fingerprint.js';

const run = promisify(execFile);
const SDK = path.resolve('sdk/java');
const TIMEOUT_MS = 600_000;
/** Of each of the two targets. */
const FUZZ_SECONDS = 30;

let folder: string;
beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'license-java-'))));
afterEach(() => fs.rmSync(folder, { recursive: true }));

describeWithJava('The Java SDK', () => {
  it(
    'passes its own tests, seeded mutations of certificates too, and skips none',
    async () => {
      // A copy, so that no build gets into the checkout.
      for (const name of ['pom.xml', 'src']) {
        fs.cpSync(path.join(SDK, name), path.join(folder, 'java', name), { recursive: true });
      }
      fs.copyFileSync('sdk/vectors.json', path.join(folder, 'vectors.json'));
      const args = ['-B', '-Dstyle.color=never', `-Dfuzz.seconds=${FUZZ_SECONDS}`, 'test'];
      const { stdout } = await run('mvn', args, { cwd: path.join(folder, 'java') });
      expect(stdout).toMatch(/Tests run: \d{3}, Failures: 0, Errors: 0, Skipped: 0\n/);
    },
    TIMEOUT_MS,
  );

  it('imports nothing but what Java has', () => {
    const main = path.join(SDK, 'src/main/java/example/licenses/client');
    for (const file of fs.readdirSync(main)) {
      const text = fs.readFileSync(path.join(main, file), 'utf8');
      for (const [, name] of text.matchAll(/^import (?:static )?(.+);$/gm)) {
        expect(name).toMatch(/^(javax?|example\.licenses\.client)\./);
      }
    }
  });
});

describeWithJava("The program of the Java SDK's README", () => {
  let customer: Customer;
  beforeEach(() => (customer = new Customer()));
  afterEach(() => customer.leave());

  const readme = fs.readFileSync(path.join(SDK, 'README.md'), 'utf8');
  const [, program] = /```java\n(import [^`]+)```/.exec(readme)!;

  /** Starts it with the values of this customer, in a container. */
  function start(classes: string, service: string, key?: string) {
    const values = {
      'https://licenses.example': service,
      '/var/lib/web-shop': customer.folder,
      ISSUER: ISSUER.id,
      CURRENT: JSON.stringify(ISSUER.jwk),
      NEXT: JSON.stringify(new Issuer().jwk),
    };
    const text = Object.entries(values).reduce((text, [placeholder, value]) => {
      expect(text).toContain(`${placeholder}"`);
      return text.replace(`${placeholder}"`, () => `${value}"`);
    }, program!);
    const file = path.join(folder, 'WebShop.java');
    fs.writeFileSync(file, text);
    const env = { ...process.env, KUBERNETES_SERVICE_HOST: '10.0.0.1', LICENSE_KEY: key };
    return run('java', ['-cp', classes, file], { env });
  }

  it(
    'activates at its first start, starts while the service is down, and does not start without a license',
    async () => {
      const classes = buildJavaRunner();
      const issuedAt = Math.floor(Date.now() / 1000);
      const fingerprint = programFingerprint(customer);
      const service = await customer.script(
        active({ fingerprint, issuedAt, licenseEnd: issuedAt + 86_400 }),
      );
      await start(classes, service.url, KEY);
      expect(service.paths[0]).toBe('/validate');
      await start(classes, NOWHERE);
      customer.license().forget();
      await expect(start(classes, NOWHERE, KEY)).rejects.toMatchObject({
        stderr: expect.stringContaining('cannot be reached') as string,
      });
    },
    TIMEOUT_MS,
  );
});
