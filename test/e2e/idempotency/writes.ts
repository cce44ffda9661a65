import { randomUUID } from 'node:crypto';
import type { HttpCaller } from '../../http-caller.js';
import {
  activate,
  createClient,
  createLicense,
  createProject,
  type Developer,
  PASSWORD,
} from '../developer.js';

/** A request that changes something. */
export interface Write {
  readonly path: string;
  readonly body: object;
  /** Another body that the same path accepts. */
  readonly otherBody: object;
  /** Changes or deletes the record that the write has created. */
  readonly moveOn: (response: {
    client?: Made;
    license?: Made;
    current?: { kid: string };
  }) => Promise<unknown>;
}

interface Made {
  readonly _id: string;
  readonly key: string;
}

const TERMS = { duration: 6, services: ['Hosting'] };

/** A new write of a user for each operation that accepts an idempotency key. */
export const WRITES: Record<string, (app: HttpCaller, user: Developer) => Promise<Write>> = {
  changePassword: async () => ({
    path: '/auth/password',
    body: { currentPassword: PASSWORD, newPassword: 'nine loud kettles whistle' },
    otherBody: { currentPassword: PASSWORD, newPassword: 'ten quiet kettles whistle' },
    moveOn: () => Promise.resolve(),
  }),
  createClient: async (app, user) => ({
    path: '/clients',
    body: { name: 'Acme', email: `${randomUUID()}@acme.example` },
    otherBody: { name: 'Acme', email: `${randomUUID()}@acme.example` },
    moveOn: ({ client }) => app.delete(`/clients/${client?._id}`, user),
  }),
  createProject: async (app, user) => {
    const clientId = (await createClient(app, user))._id;
    return {
      path: '/projects/createProject',
      body: { clientId, projectName: 'Shop', ...TERMS },
      otherBody: { clientId, projectName: 'Wiki', ...TERMS },
      moveOn: ({ license }) => revokeActive(app, user, license),
    };
  },
  createLicense: async (app, user) => {
    const { project } = await createLicense(app, user);
    return {
      path: `/projects/${project}/licenses`,
      body: TERMS,
      otherBody: { ...TERMS, duration: 7 },
      moveOn: ({ license }) => revokeActive(app, user, license),
    };
  },
  revokeLicense: async (app, user) => {
    const { _id, project } = await createLicense(app, user);
    return {
      path: `/licenses/${_id}/revoke`,
      body: { reason: 'Contract ended' },
      otherBody: { reason: 'Unpaid' },
      moveOn: () => app.delete(`/projects/${project}`, user),
    };
  },
  renewLicense: async (app, user) => {
    const license = await createLicense(app, user);
    await activate(app, license);
    return {
      path: `/licenses/${license._id}/renew`,
      body: { duration: 1 },
      otherBody: { duration: 2 },
      moveOn: () => app.post(`/licenses/${license._id}/revoke`, {}, user),
    };
  },
  reissueLicense: async (app, user) => {
    const client = await createClient(app, user);
    const { license: old } = await createProject(app, user, client._id);
    return {
      path: `/licenses/${old._id}/reissue`,
      body: { duration: 3 },
      otherBody: { duration: 4 },
      moveOn: ({ license }) => revokeActive(app, user, license),
    };
  },
  issueCertificate: async (app, user) => {
    const { _id, project } = await createLicense(app, user);
    const machine = { fingerprint: 'machine-without-a-network', product: project };
    return {
      path: `/licenses/${_id}/certificates`,
      body: { ...machine, days: 30 },
      otherBody: { ...machine, days: 31 },
      moveOn: () => app.post(`/licenses/${_id}/revoke`, {}, user),
    };
  },
  rotateSigningKeys: async (app, user) => {
    const path = '/signing-keys/rotate';
    const { kid } = (await app.get('/signing-keys', user)).body.current;
    return {
      path,
      body: { current: kid },
      otherBody: { current: kid, compromised: true },
      moveOn: ({ current }) => app.post(path, { current: current?.kid }, user),
    };
  },
};

async function revokeActive(app: HttpCaller, user: Developer, license: Made | undefined) {
  await activate(app, { key: String(license?.key) });
  await app.post(`/licenses/${license?._id}/revoke`, {}, user);
}
