import { randomUUID } from 'node:crypto';
import type { Developer } from '../e2e/developer.js';
import { type HttpCaller, newEmail } from '../http-caller.js';

/** What the records that the pages show are called. */
export interface Names {
  readonly client: string;
  readonly project: string;
  readonly reason: string;
}

interface Options {
  readonly email?: () => string;
  /** Of the first license. */
  readonly terms: { readonly product: string; readonly entitlements: readonly string[] };
  /** The names of two machines that activate it. */
  readonly machines?: readonly string[];
}

/** Adds records to an account for each of its pages: their ids, those of an active and a revoked license, and a viewer. */
export async function addRecords(
  service: HttpCaller,
  developer: Developer,
  names: Names,
  { email = newEmail, terms, machines = [] }: Options,
) {
  const client = await service.createClient(developer, { name: names.client, email: email() });
  const { license, project } = await service.createProject(developer, client._id, {
    projectName: names.project,
    ...terms,
  });
  for (const machineName of [machines[0], machines[1]]) {
    const machine = { key: license.key, fingerprint: `fingerprint-${randomUUID()}`, machineName };
    await service.post('/validate/activate', machine);
  }
  const revoked = await service.addLicense(developer, project._id);
  await service.post(`/licenses/${revoked._id}/revoke`, { reason: names.reason }, developer);
  const plan = { name: names.project, days: 14, services: ['Hosting'] };
  await service.post('/plans', { ...plan, entitlements: terms.entitlements }, developer);
  const scopes = ['clients:read', 'projects:read', 'licenses:read', 'plans:read', 'events:read'];
  await service.addApiKey(developer, scopes, { name: names.project });
  const { invitation } = (await service.invite(developer, 'viewer', email())).body;
  const viewer = (await service.accept(invitation, { name: names.client })).body.user;
  await service.invite(developer, 'support', email());
  return {
    project: project._id,
    client: client._id,
    active: license._id,
    revoked: revoked._id,
    viewer: viewer as { readonly email: string },
  };
}
