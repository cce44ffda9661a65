import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { PublicJwk } from '../../sdk/node/src/signing-keys.js';
import { active, type Customer, ISSUER, KEY, NOWHERE, withCustomer } from './customer.js';
import { DAY, Issuer } from './issuer.js';
import { programFingerprint } from './program-fingerprint.js';
import { programOf, type ReadmeLanguage } from './readme.js';

const run = promisify(execFile);
const TIMEOUT_MS = 600_000;

interface Options {
  /** Builds a program of this text, and returns the command that starts it. */
  readonly build: (text: string) => Promise<readonly string[]> | readonly string[];
  /** The text of a key that the program contains; its `x` if absent. */
  readonly keyText?: (jwk: PublicJwk) => string;
  /** The clock of the program, in seconds since 1970; the time of the system if absent. */
  readonly now?: number;
}

/** Declares the test of the program in a README: a reader fills it in, builds it, and starts it in a container. */
export function itIsLicensed(
  language: ReadmeLanguage,
  { build, keyText = ({ x }) => x, now }: Options,
): void {
  async function start(customer: Customer, service: string, key?: string): Promise<void> {
    const values = {
      'https://licenses.example': service,
      '/var/lib/web-shop': customer.folder,
      ISSUER: ISSUER.id,
      CURRENT: keyText(ISSUER.jwk),
      NEXT: keyText(new Issuer().jwk),
    };
    const text = Object.entries(values).reduce((text, [placeholder, value]) => {
      expect(text).toContain(placeholder);
      return text.replace(placeholder, () => value);
    }, programOf(language));
    const [command, ...args] = await build(text);
    const container = { KUBERNETES_SERVICE_HOST: '10.0.0.1', no_proxy: '*' };
    await run(command!, args, { env: { ...process.env, ...container, LICENSE_KEY: key } });
  }

  it(
    'activates at its first start, starts while the service is down, and does not start without a license',
    () =>
      withCustomer(async (customer) => {
        const issuedAt = now ?? Math.floor(Date.now() / 1000);
        const fingerprint = programFingerprint(customer);
        const service = await customer.script(
          active({ fingerprint, issuedAt, licenseEnd: issuedAt + DAY }),
        );
        await start(customer, service.url, KEY);
        expect(service.paths[0]).toBe('/validate');
        await start(customer, NOWHERE);
        customer.license().forget();
        await expect(start(customer, NOWHERE, KEY)).rejects.toMatchObject({
          stderr: expect.stringContaining('cannot be reached') as string,
        });
      }),
    TIMEOUT_MS,
  );
}
