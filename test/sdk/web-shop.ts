import { run } from './commands.js';
import { active, type Customer, ISSUER, KEY, NOWHERE, withCustomer } from './customer.js';
import { Issuer } from './issuer.js';

/** The fingerprint that a program of this machine has. */
export function requestOf(customer: Customer): { fingerprint: string } {
  const license = customer.license({ fingerprint: undefined });
  return JSON.parse(license.request()) as { fingerprint: string };
}

/** Expects that an example of C, C++ or C# is licensed at its first start, and while the service is down. */
export const expectLicensed = (program: string, ...args: string[]) =>
  withCustomer(async (customer) => {
    // The clock of its library is that of the tests: it stands still in 1970.
    const service = await customer.script(active({ ...requestOf(customer), issuedAt: 0 }));
    const [current, next] = [ISSUER.jwk, new Issuer().jwk].map((jwk) => JSON.stringify(jwk));
    const keys = { ISSUER: ISSUER.id, CURRENT_KEY: current, NEXT_KEY: next };
    const common = { ...process.env, ...keys, FOLDER: customer.folder, KEY, no_proxy: '*' };
    const start = (address: string) => run(program, args, { env: { ...common, SERVICE: address } });
    await expect(start(NOWHERE)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The license service cannot.+\nNot licensed: none/) as string,
    });
    for (const address of [service.url, NOWHERE]) {
      const { stdout } = await start(address);
      expect(stdout).toBe('Licensed until 1970-01-08T00:00:00.000Z for Hosting.\n');
    }
    expect(service.paths).toEqual(['/validate']);
  });
