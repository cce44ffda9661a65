import { randomUUID } from 'node:crypto';
import type { HttpCaller } from '../../http-caller.js';
import { activate, createClient, createLicense, type Developer, PASSWORD } from '../developer.js';

/** A request that changes something. */
export interface Write {
  readonly path: string;
  readonly body: object;
  /** Another body that the same path accepts. */
  readonly otherBody: object;
  /** Changes or deletes the record that the write has created. */
  readonly moveOn: (response: {
    readonly client?: { readonly _id: string };
    readonly license?: { readonly _id: string };
    readonly current?: { readonly kid: string };
  }) => Promise<unknown>;
}

const TERMS = { duration: 6, services: ['Hosting'] };
const MACHINE = 'machine-without-a-network';

type Made = readonly [path: string, body: object, changes: object];

/** The path, the body and what makes another body of it, of each operation that accepts an idempotency key. */
const MADE: Record<string, (app: HttpCaller, user: Developer) => Promise<Made>> = {
  changePassword: async () => {
    const body = { currentPassword: PASSWORD, newPassword: 'nine loud kettles whistle' };
    return ['/auth/password', body, { newPassword: 'ten quiet kettles whistle' }];
  },
  createClient: async () => {
    const body = { name: 'Acme', email: `${randomUUID()}@acme.example` };
    return ['/clients', body, { email: `${randomUUID()}@acme.example` }];
  },
  createProject: async (app, user) => {
    const clientId = (await createClient(app, user))._id;
    const body = { clientId, projectName: 'Shop', ...TERMS };
    return ['/projects/createProject', body, { projectName: 'Wiki' }];
  },
  createPlan: async () => {
    const body = { name: `Plan ${randomUUID()}`, ...TERMS };
    return ['/plans', body, { name: `Plan ${randomUUID()}` }];
  },
  createLicense: async (app, user) => {
    const { project } = await createLicense(app, user);
    return [`/projects/${project}/licenses`, TERMS, { duration: 7 }];
  },
  createLicenses: async (app, user) => {
    const { project } = await createLicense(app, user);
    return [`/projects/${project}/licenses/batch`, { ...TERMS, count: 2 }, { count: 3 }];
  },
  revokeLicense: async (app, user) => {
    const { _id } = await createLicense(app, user);
    return [`/licenses/${_id}/revoke`, { reason: 'Contract ended' }, { reason: 'Unpaid' }];
  },
  suspendLicense: async (app, user) => {
    const { _id } = await createLicense(app, user);
    return [`/licenses/${_id}/suspend`, {}, { again: true }];
  },
  resumeLicense: async (app, user) => {
    const { _id } = await createLicense(app, user);
    await app.post(`/licenses/${_id}/suspend`, {}, user);
    return [`/licenses/${_id}/resume`, {}, { again: true }];
  },
  renewLicense: async (app, user) => {
    const license = await createLicense(app, user);
    await activate(app, license);
    return [`/licenses/${license._id}/renew`, { duration: 1 }, { duration: 2 }];
  },
  reissueLicense: async (app, user) => {
    const { _id } = await createLicense(app, user);
    return [`/licenses/${_id}/reissue`, { duration: 3 }, { duration: 4 }];
  },
  issueCertificate: async (app, user) => {
    const { _id, project: product } = await createLicense(app, user);
    const body = { fingerprint: MACHINE, product, days: 30 };
    return [`/licenses/${_id}/certificates`, body, { days: 31 }];
  },
  rotateSigningKeys: async (app, user) => {
    const { kid } = (await app.get('/signing-keys', user)).body.current;
    return ['/signing-keys/rotate', { current: kid, password: PASSWORD }, { compromised: true }];
  },
};

/** A new write of a user for each operation that accepts an idempotency key. */
export const WRITES = Object.fromEntries(
  Object.entries(MADE).map(([operation, make]) => [
    operation,
    async (app: HttpCaller, user: Developer): Promise<Write> => {
      const [path, body, changes] = await make(app, user);
      const moveOn: Write['moveOn'] = async ({ client, license, current }) => {
        if (client) await app.delete(`/clients/${client._id}`, user);
        if (license) await app.post(`/licenses/${license._id}/revoke`, {}, user);
        if (current) await app.post(path, { ...body, current: current.kid }, user);
      };
      return { path, body, otherBody: { ...body, ...changes }, moveOn };
    },
  ]),
);
