import { randomUUID } from 'node:crypto';
import { LAPTOP } from '../../e2e/developer.js';
import type { Random } from '../../random.js';
import type { Journal, KnownLicense, LicenseRecord, Write } from './journal.js';

const TERMS = { duration: 6, services: ['Hosting'] };

/** The records that only one caller changes, so that it knows the outcome of each of its writes. */
export interface Share {
  readonly clients: string[];
  readonly projects: string[];
}

/** A write that the service must accept, on the records of the caller. */
export function anyWrite(random: Random, journal: Journal, share: Share): Write {
  const client = share.clients[0];
  if (client === undefined) return createClient(share);
  const project = share.projects.length > 0 ? random.of(share.projects) : undefined;
  if (project === undefined || random.next() < 0.15) return createProject(share, client);
  const license = random.of(journal.licensesOf(project));
  const changes: Write[] = [
    addLicense(project),
    createClient(share),
    ...transitionsOf(license),
    ...deletionsOf(journal, share, project),
  ];
  return random.of(changes);
}

const post = (
  path: string,
  body: object,
  acknowledge: Write['acknowledge'],
  license?: string,
): Write => ({
  ...{ method: 'POST', path, body, idempotencyKey: randomUUID(), acknowledge },
  ...(license && { license }),
});

const createClient = ({ clients }: Share): Write => {
  const fields = { name: 'Acme Ltd', email: `${randomUUID()}@acme.example` };
  return post('/clients', fields, (journal, { client }) => {
    journal.clients.add(client._id);
    clients.push(client._id);
  });
};

const createProject = ({ projects }: Share, clientId: string): Write => {
  const fields = { clientId, projectName: 'Web shop', ...TERMS };
  return post('/projects/createProject', fields, (journal, { project, license }) => {
    journal.projects.add(project._id);
    journal.addLicense(license);
    projects.push(project._id);
  });
};

const addLicense = (project: string): Write =>
  post(`/projects/${project}/licenses`, TERMS, (journal, { license }) =>
    journal.addLicense(license),
  );

/** Every change that its status allows. */
function transitionsOf({ record }: KnownLicense): Write[] {
  const { _id, status } = record;
  const change = (action: string, body: object, acknowledge: Write['acknowledge']) =>
    post(`/licenses/${_id}/${action}`, body, acknowledge, _id);
  if (status === 'REVOKED') return [];
  return [
    status === 'PENDING'
      ? activate(record)
      : change('renew', { duration: 1 }, (journal, { license }) =>
          journal.change(license, 'renewed'),
        ),
    change('revoke', { reason: 'Refunded' }, (journal, { license }) =>
      journal.change(license, 'revoked'),
    ),
    change('reissue', {}, (journal, { revoked, license }) => {
      journal.change(revoked, 'reissued');
      journal.addLicense(license);
    }),
  ];
}

const activate = (record: LicenseRecord): Write => ({
  method: 'POST',
  path: '/validate/activate',
  body: { key: record.key, fingerprint: LAPTOP },
  license: record._id,
  acknowledge: (journal, { activatedAt, expiresAt }) =>
    journal.change(
      { ...record, status: 'ACTIVE', issuedAt: activatedAt, activatedAt, expiresAt },
      'activated',
    ),
});

/** The deletion of the project if none of its licenses is active, and of a client without projects. */
function deletionsOf(journal: Journal, share: Share, project: string): Write[] {
  const deletion = (what: keyof Share, id: string, forget: () => unknown): Write => ({
    method: 'DELETE',
    path: `/${what}/${id}`,
    acknowledge: () => {
      forget();
      share[what].splice(share[what].indexOf(id), 1);
    },
  });
  const isActive = journal.licensesOf(project).some(({ record }) => record.status === 'ACTIVE');
  const client = share.clients.at(-1)!;
  return [
    ...(isActive ? [] : [deletion('projects', project, () => journal.deleteProject(project))]),
    ...(share.clients.length > 1
      ? [deletion('clients', client, () => journal.clients.delete(client))]
      : []),
  ];
}
