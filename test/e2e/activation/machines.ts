import type { TestApp } from '../../app.js';
import type { CreatedLicense, Developer } from '../developer.js';

/** Fingerprints of machines. */
export const [A, B] = ['machine-number-a', 'machine-number-b'] as const;
export const [C, D] = ['machine-number-c', 'machine-number-d'] as const;

/** Actions of machines on a developer's licenses, and what the developer sees of them. */
export const machinesUnder = (app: TestApp, ada: Developer) => ({
  validate: async ({ key }: CreatedLicense, fingerprint: string, more: object = {}) =>
    (await app.post('/validate', { key, fingerprint, ...more })).body,
  release: ({ key }: { key: string }, fingerprint?: string) =>
    app.post('/validate/release', { key, fingerprint }),
  read: (license: CreatedLicense) => app.readLicense(ada, license),
  machinesOf: async ({ _id }: CreatedLicense) =>
    (await app.get(`/licenses/${_id}/machines`, ada)).body.data,
  /** A license with three seats, some taken, the last machine being the newest. */
  taken: async (fingerprints: string[], terms: object = {}) => {
    const license = await app.createLicense(ada, { maxMachines: 3, ...terms });
    for (const [index, fingerprint] of fingerprints.entries()) {
      if (index > 0) app.clock.advance({ seconds: 1 });
      expect((await app.activate(license, fingerprint)).status).toBe(200);
    }
    return license;
  },
  after: (seconds: number) => new Date(app.clock.now().getTime() + seconds * 1000).toISOString(),
});
