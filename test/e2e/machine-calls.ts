import type { TestApp } from '../app.js';
import type { CreatedLicense, Developer } from './developer.js';

/** Fingerprints of four machines. */
export const A = 'machine-number-a';
export const B = 'machine-number-b';
export const C = 'machine-number-c';
export const D = 'machine-number-d';

/** What the machines of a license call, and what their vendor sees of them. */
export function machineCalls(app: TestApp, ada: Developer) {
  const validate = async ({ key }: { key: string }, fingerprint: string, more: object = {}) =>
    (await app.post('/validate', { key, fingerprint, ...more })).body;
  const heartbeat = ({ key }: { key: string }, fingerprint?: string, more: object = {}) =>
    app.post('/validate/heartbeat', { key, fingerprint, ...more });
  const release = ({ key }: { key: string }, fingerprint?: string) =>
    app.post('/validate/release', { key, fingerprint });
  const read = async ({ _id }: { _id: string }) => (await app.get(`/licenses/${_id}`, ada)).body;
  const machinesOf = async ({ _id }: { _id: string }) =>
    (await app.get(`/licenses/${_id}/machines`, ada)).body.data;
  /** A license of this number of places, taken by as many of the machines. */
  const taken = async (fingerprints: string[], terms: object = {}): Promise<CreatedLicense> => {
    const license = await app.createLicense(ada, { maxMachines: 3, ...terms });
    for (const fingerprint of fingerprints) {
      expect((await app.activate(license, fingerprint)).status).toBe(200);
    }
    return license;
  };
  const after = (seconds: number) =>
    new Date(app.clock.now().getTime() + seconds * 1000).toISOString();
  return { validate, heartbeat, release, read, machinesOf, taken, after };
}
