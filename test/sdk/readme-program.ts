import { run } from './commands.js';
import { type Language, PROGRAMS } from '../../console/src/integrate/programs/languages.js';
import { filled } from '../../console/src/integrate/programs/program.js';
import { useFolder } from '../use-folder.js';
import { KEY, useCustomer } from './customer.js';
import { active, CURRENT, DAY, ISSUER, NEXT, PRODUCT } from './issuer.js';

/** Builds a program from its text in a separate folder, and returns the command that starts it. */
type Build = (folder: string, text: string) => Promise<readonly string[]> | readonly string[];

/** Their library has the test clock, which stands still in 1970. */
const ON_C_ABI: readonly Language[] = ['c', 'cpp', 'csharp'];

/** Declares the test of the program in a README: filled in as the console does, built, and started in a container. */
export function itIsLicensed(language: Language, build: Build): void {
  const source = useFolder();
  const customer = useCustomer();
  const container = { KUBERNETES_SERVICE_HOST: '10.0.0.1' };

  it('has a program in its README that activates at its first start, starts while the service is down, and does not start without a license', async () => {
    const issuedAt = ON_C_ABI.includes(language) ? 0 : Math.floor(Date.now() / 1000);
    Object.assign(process.env, container);
    const request = customer.license({ fingerprint: undefined }).request();
    delete process.env.KUBERNETES_SERVICE_HOST;
    const { fingerprint } = JSON.parse(request) as { fingerprint: string };
    const service = await customer.script(
      active({ fingerprint, issuedAt, licenseEnd: issuedAt + DAY }),
    );
    const account = { issuer: ISSUER, current: CURRENT.jwk, next: NEXT.jwk };
    const values = { ...account, service: service.url, product: PRODUCT, folder: customer.folder };
    const [command, ...args] = await build(source(), filled(PROGRAMS[language], values));
    const start = (key?: string) => {
      const env = { ...process.env, ...container, no_proxy: '*', LICENSE_KEY: key };
      return run(command!, args, { env });
    };
    await start(KEY);
    expect(service.paths[0]).toBe('/validate');
    service.script((response) => response.destroy());
    await start();
    customer.license().forget();
    await expect(start(KEY)).rejects.toMatchObject({
      stderr: expect.stringContaining('cannot be reached') as string,
    });
  });
}
