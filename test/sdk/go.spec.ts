import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { active, Customer, ISSUER, KEY, NOWHERE } from './customer.js';
import { describeWithGo } from './go.js';
import { Issuer } from './issuer.js';
import { programFingerprint } from './program-fingerprint.js';

const run = promisify(execFile);
const SDK = path.resolve('sdk/go');
const TIMEOUT_MS = 600_000;
/** Of each target. */
const FUZZ_TIME = '30s';

describeWithGo('The Go SDK', () => {
  it(
    'passes its own tests and the checks of Go, and needs no other module',
    async () => {
      const go = async (...args: string[]) => (await run('go', args, { cwd: SDK })).stdout;
      await go('vet', './...');
      expect((await run('gofmt', ['-l', SDK])).stdout).toBe('');
      expect(await go('list', '-m', 'all')).toBe('licenses.example/licenseclient\n');
      expect(await go('test', '-timeout=5m', './...')).toMatch(/^ok/);
    },
    TIMEOUT_MS,
  );

  it.each(['FuzzCertificate', 'FuzzJSON'])(
    `accepts nothing by accident in ${FUZZ_TIME} of %s`,
    async (target) => {
      const args = ['test', '-run=^$', `-fuzz=^${target}$`, `-fuzztime=${FUZZ_TIME}`];
      const env = { ...process.env, GODEBUG: 'fuzzseed=15' };
      await run('go', [...args, '-parallel=2', '.'], { cwd: SDK, env });
    },
    TIMEOUT_MS,
  );
});

describeWithGo("The program of the Go SDK's README", () => {
  let customer: Customer;
  let folder: string;
  beforeEach(() => {
    customer = new Customer();
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'license-go-'));
  });
  afterEach(async () => {
    fs.rmSync(folder, { recursive: true });
    await customer.leave();
  });

  const readme = fs.readFileSync(path.join(SDK, 'README.md'), 'utf8');
  const [, program] = /```go\n(package main[^`]+)```/.exec(readme)!;
  const [, setUp] = /```sh\n(go mod[^`]+)```/.exec(readme)!;

  /** Builds it with the values of this customer. */
  async function build(service: string): Promise<string> {
    const values = {
      'https://licenses.example': service,
      '/var/lib/web-shop': customer.folder,
      ISSUER: ISSUER.id,
      CURRENT: ISSUER.jwk.x,
      NEXT: new Issuer().jwk.x,
    };
    const text = Object.entries(values).reduce((text, [placeholder, value]) => {
      expect(text).toContain(`"${placeholder}"`);
      return text.replace(`"${placeholder}"`, JSON.stringify(value));
    }, program!);
    fs.writeFileSync(path.join(folder, 'main.go'), text);
    await run('go', ['build', '-o', 'web-shop', '.'], { cwd: folder });
    return path.join(folder, 'web-shop');
  }

  it(
    'activates at its first start, starts while the service is down, and does not start without a license',
    async () => {
      const env = { ...process.env, KUBERNETES_SERVICE_HOST: '10.0.0.1' };
      await run('sh', ['-euc', setUp!], { cwd: folder, env: { ...env, CHECKOUT: process.cwd() } });
      const issuedAt = Math.floor(Date.now() / 1000);
      const fingerprint = programFingerprint(customer);
      const service = await customer.script(
        active({ fingerprint, issuedAt, licenseEnd: issuedAt + 86_400 }),
      );
      await run(await build(service.url), { env: { ...env, LICENSE_KEY: KEY } });
      expect(service.paths[0]).toBe('/validate');
      const offline = await build(NOWHERE);
      await run(offline, { env });
      customer.license().forget();
      await expect(run(offline, { env: { ...env, LICENSE_KEY: KEY } })).rejects.toMatchObject({
        stderr: expect.stringContaining('cannot be reached') as string,
      });
    },
    TIMEOUT_MS,
  );
});
